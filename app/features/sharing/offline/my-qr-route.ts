import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import { createElement } from "react";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { listCardShares } from "#app/features/cards/share-subjects.server.ts";
import { loadOwnProfile, profileShareSubject } from "#app/features/profile/own-profile.server.ts";
import { services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/my-qr-route.ts";
import { offlineQr } from "./offline-qr.ts";
import { MyQrView, myQrStyle, SignedOutQrView } from "./my-qr-view.tsx";
import type { MyQrSubject } from "./my-qr-view.tsx";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";

/** The QR codes of the owner's cards and profile on one page without further requests, which the service worker caches. */
export async function loader({ context }: Route.LoaderArgs) {
  if (!viewer(context)) return pageResponse(createElement(SignedOutQrView), 401);
  const { clock, config } = services(context);
  const now = clock();
  const profile = await loadOwnProfile(context);
  const cards = await listCardShares(context, profile);
  const shown = cards.flatMap((card) => ("subject" in card ? [card] : []));
  const profilePaths = [`/u/${profile.ownerId}`, ...(profile.handle ? [`/u/${profile.handle}`] : [])];
  const cardSubjects = shown.slice(0, maxOfflineCards).map(({ id, subject }, index) => ({
    ...subject,
    aliases: [`/card/${id}`, ...(index === 0 ? profilePaths.map((path) => `${path}/card`) : [])],
  }));
  const view = createElement(MyQrView, {
    subjects: [
      ...(await offlineSubjects(cardSubjects)),
      offlineSubject({ ...profileShareSubject(profile, config.baseUrl), aliases: profilePaths }),
    ],
    omittedCards: Math.max(0, shown.length - maxOfflineCards),
    hidden: cards.flatMap((card) => ("hidden" in card ? [card.label] : [])),
    storedAt: now,
  });
  return pageResponse(view, 200);
}

function pageResponse(view: ReactElement, status: number) {
  return new Response(`<!doctype html>${renderToStaticMarkup(view)}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
    },
  });
}

/** The first cards in the owner's order: every device fetches the page again after each save, so it must stay small. */
const maxOfflineCards = 20;

type NamedSubject = ShareSubject & { aliases: readonly string[] };

/** A QR code of a whole contact takes some 30 ms: yields to other requests after each. */
async function offlineSubjects(subjects: NamedSubject[]): Promise<MyQrSubject[]> {
  const prepared: MyQrSubject[] = [];
  for (const subject of subjects) {
    prepared.push(offlineSubject(subject));
    await nextTurn();
  }
  return prepared;
}

function offlineSubject(subject: NamedSubject): MyQrSubject {
  const { label, name, work, url, path, aliases, contact } = subject;
  const contactQr = contact && offlineQr(contact);
  return {
    label,
    name,
    work,
    url,
    path,
    aliases,
    pageCode: qrPath(markedUrl(url, "qr")),
    contactCode: contactQr?.kind === "code" ? contactQr.code : undefined,
  };
}

const policy =
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(myQrStyle).digest("base64")}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'";
