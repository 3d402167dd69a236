import { data, isRouteErrorResponse } from "react-router";

import { fileMessages as profileFileMessages } from "#app/features/profile/messages.ts";
import { ErrorView } from "#app/features/shell/frame/result-card.tsx";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/file-page.ts";
import { fileMessages } from "./messages.ts";
import { resumeOwner } from "./rules.ts";
import { verifySignedUrl } from "./storage/signed-url.server.ts";

/** For a browser that opens a file which the handler doesn't serve: says why, and leads back to the profile. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  const path = params["*"];
  const ownerId = resumeOwner(path);
  const signed = ownerId === undefined ? "valid" : verifySignedUrl(services(context), path, url.searchParams);
  const isDownload = url.searchParams.has("download");
  throw data(
    { ownerId, signed, isDownload },
    { status: signed === "valid" ? 404 : 403, headers: { "cache-control": "no-store" } },
  );
}

/** Never rendered, but a route without a component would respond without a document. */
export default function FilePage() {
  return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || !isUnavailable(error.data)) throw error;
  const { ownerId, signed, isDownload } = error.data;
  const isMissingDownload = isDownload && ownerId !== undefined && signed === "valid";
  return (
    <ErrorView
      status={error.status}
      {...(isMissingDownload ? failedDownload : texts[signed])}
      action={
        ownerId === undefined
          ? { href: "/", label: "Go to the home page" }
          : { href: `/u/${ownerId}`, label: "Go to the profile" }
      }
    />
  );
}

type Unavailable = { ownerId: string | undefined; signed: keyof typeof texts; isDownload: boolean };

function isUnavailable(value: unknown): value is Unavailable {
  return typeof value === "object" && value !== null && "signed" in value;
}

const failedDownload = {
  title: profileFileMessages.resumeDownloadFailed,
  text: profileFileMessages.downloadStatus(404),
};

const texts = {
  valid: { title: "File not found", text: fileMessages.missing },
  expired: { title: "This link has expired", text: `It was valid for an hour. ${fileMessages.openAgain}` },
  unsigned: { title: "This link is incomplete", text: fileMessages.openAgain },
};
