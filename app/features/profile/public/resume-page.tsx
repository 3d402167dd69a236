import { data, isRouteErrorResponse, redirect } from "react-router";

import { fileMessages, messages } from "#app/features/profile/messages.ts";
import { loadPublicProfile } from "#app/features/profile/public-profile.server.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { findResume } from "#app/features/uploads/data.server.ts";
import { signedResumeUrl } from "#app/features/uploads/storage/signed-url.server.ts";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/resume-page.ts";

/**
 * Redirects to the resume at a freshly signed URL that is valid for an hour. With `?download` the browser saves the file, else it shows it
 * if it can. The page itself is shown only when there is no resume.
 */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { profile, publicProfile } = await loadPublicProfile(context, { id: params.id, url });
  const isDownload = url.searchParams.has("download");
  const resume = await findResume(services(context).db, profile.ownerId);
  if (!resume) throw data({ isDownload, profileUrl: publicProfile.profileUrl }, { status: 404 });
  // Not cached: the next visitor gets a URL with a full hour.
  const headers = { "cache-control": "no-store" };
  return redirect(signedResumeUrl(services(context), resume, isDownload), { headers });
}

/** Never rendered, but a route without a component can't render its error boundary in a page. */
export default function ResumePage() {
  return null;
}

export function meta({ error }: Route.MetaArgs) {
  return [{ title: toFailure(error).title }, { name: "robots", content: "noindex" }];
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...toFailure(error)} />;
}

function toFailure(error: unknown) {
  const missing: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (!isMissingResume(missing)) return { ...messages.notFound, action: { href: "/", label: "Go to the home page" } };
  const texts = missing.isDownload
    ? { title: fileMessages.resumeDownloadFailed, text: fileMessages.downloadStatus(404) }
    : { title: fileMessages.resumeViewFailed, text: fileMessages.resumeGone };
  return { ...texts, action: { href: missing.profileUrl, label: "Go to the profile" } };
}

type MissingResume = { isDownload: boolean; profileUrl: string };

function isMissingResume(value: unknown): value is MissingResume {
  return typeof value === "object" && value !== null && "isDownload" in value && "profileUrl" in value;
}
