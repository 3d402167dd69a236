import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { listCardShares } from "#app/features/cards/own-share.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { profileShare } from "#app/features/profile/own-share.server.ts";
import { services } from "#app/services/context.ts";

import type { Route } from "./+types/offline-route.ts";
import { offlineQr } from "./offline-qr.ts";
import { offlineStyle } from "./offline-style.ts";
import { OfflineView } from "./offline-view.tsx";
import type { OfflineSubject } from "./offline-view.tsx";
import { qrPath } from "./qr-code.ts";
import type { ShareSubject } from "./share-subject.ts";
import { markedUrl } from "./source-marks.ts";

/** The page that the service worker keeps: the owner's cards and profile with their codes, and nothing that has to be asked for. */
export async function loader({ context }: Route.LoaderArgs) {
  const { clock, config } = services(context);
  const now = clock();
  const profile = await loadOwnProfile(context);
  const cards = await listCardShares(context, profile);
  const shown = cards.flatMap((card) => ("subject" in card ? [card.subject] : []));
  const view = createElement(OfflineView, {
    subjects: [
      ...(await offlineSubjects(shown.slice(0, mostCards))),
      { ...offlineSubject(profileShare(profile, config.baseUrl)), alias: `/u/${profile.userId}` },
    ],
    left: Math.max(0, shown.length - mostCards),
    hidden: cards.flatMap((card) => ("hidden" in card ? [card.label] : [])),
    keptAt: now,
    style: offlineStyle,
  });
  return new Response(`<!doctype html>${renderToStaticMarkup(view)}`, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
    },
  });
}

/** In their owner's order: a page that every device fetches again after each save has to stay small. */
const mostCards = 20;

/** A code of a whole contact takes some 30 ms: others have their turn in between. */
async function offlineSubjects(subjects: ShareSubject[]): Promise<OfflineSubject[]> {
  const made: OfflineSubject[] = [];
  for (const subject of subjects) {
    made.push(offlineSubject(subject));
    await nextTurn();
  }
  return made;
}

function offlineSubject(subject: ShareSubject): OfflineSubject {
  const { kind, label, name, work, url, path, contact } = subject;
  const held = contact && offlineQr(contact);
  return {
    kind,
    label,
    name,
    work,
    url,
    path,
    pageCode: qrPath(markedUrl(url, "qr")),
    contactCode: held?.kind === "code" ? held.code : undefined,
  };
}

const policy =
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(offlineStyle).digest("base64")}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'";
