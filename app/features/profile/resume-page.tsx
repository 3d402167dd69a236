import { data, isRouteErrorResponse, redirect } from "react-router";

import { findResume } from "#app/features/uploads/data.server.ts";
import { signedResumeUrl } from "#app/features/uploads/signed-address.server.ts";
import { services } from "#app/services/context.ts";
import { MessageView } from "#app/ui/message-view.tsx";

import type { Route } from "./+types/resume-page.ts";
import { answerWords } from "./answer-words.ts";
import { fileWords } from "./file-words.ts";
import { loadPublicProfile } from "./public-profile.server.ts";

/**
 * The public way to a resume: on to an address that is signed anew each time and good for an hour. With `?download` it is saved under
 * its name, else a browser shows it where it can. The page itself is only seen when there is none.
 */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { profile, shown } = await loadPublicProfile(context, { id: params.id, url });
  const isDownload = url.searchParams.has("download");
  const resume = await findResume(services(context).db, profile.userId);
  if (!resume) throw data({ isDownload, profileUrl: shown.profileUrl }, { status: 404 });
  // Nobody may keep it: the next visitor's hour begins later.
  const headers = { "cache-control": "no-store" };
  return redirect(signedResumeUrl(services(context), resume, isDownload), { headers });
}

/** Never shown; but a route without a view would answer without a page. */
export default function ResumePage() {
  return null;
}

export function meta({ error }: Route.MetaArgs) {
  return [{ title: failureOf(error).title }, { name: "robots", content: "noindex" }];
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  const { action, ...words } = failureOf(error);
  return <MessageView {...words} action={action} />;
}

/** Without a profile there is nothing to download from. */
function failureOf(error: unknown) {
  const missing: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (!isMissing(missing)) return { ...answerWords.notFound, action: { href: "/", label: "Go to the home page" } };
  const words = missing.isDownload
    ? { title: fileWords.resumeDownloadFailed, text: fileWords.downloadStatus(404) }
    : { title: fileWords.resumeViewFailed, text: fileWords.resumeGone };
  return { ...words, action: { href: missing.profileUrl, label: "Go to the profile" } };
}

type Missing = { isDownload: boolean; profileUrl: string };

function isMissing(value: unknown): value is Missing {
  return typeof value === "object" && value !== null && "isDownload" in value && "profileUrl" in value;
}
