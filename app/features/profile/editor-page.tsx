import { data, isRouteErrorResponse } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { CardList } from "#app/features/cards/card-list.tsx";
import { listCards } from "#app/features/cards/data.server.ts";
import { listedCards } from "#app/features/cards/rules.ts";
import { listAssets, weightOf } from "#app/features/uploads/asset-rows.server.ts";
import { services, member } from "#app/services/context.ts";

import type { Route } from "./+types/editor-page.ts";
import { draftOf } from "./draft.ts";
import type { SaveAnswer } from "./editing.ts";
import { answerSave } from "./editor.server.ts";
import { LoadFailed } from "./load-failed.tsx";
import { loadOwnProfile } from "./own-profile.server.ts";
import { answerWords } from "./answer-words.ts";
import { messages } from "./messages.ts";
import { ProfileEditor } from "./profile-editor.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock, config } = services(context);
  const owner = member(context);
  const now = clock();
  const [profile, plan, cards, resumes] = await Promise.all([
    loadOwnProfile(context),
    findPlan(db, owner.id, now),
    listCards(db, owner.id),
    listAssets(db, { ownerId: owner.id, slot: "resume" }),
  ]);
  const { avatarStem, bannerStem, resumeFilename } = profile;
  const resume = resumes.find(({ isReady }) => isReady);
  return {
    stored: { draft: draftOf(profile), version: profile.version },
    page: {
      id: owner.id,
      profileUrl: `${config.baseUrl}/u/${profile.handle || owner.id}`,
      hasBranding: plan.hasBranding,
      themes: plan.themes,
      canMoveLinks: plan.canMoveLinks,
    },
    now,
    files: { avatarStem, bannerStem, resumeFilename, resumeBytes: resume ? weightOf(resume.files).bytes : null },
    origin: config.baseUrl,
    cards: { ...listedCards(plan, cards), formId: crypto.randomUUID() },
  };
}

export function action({ context, request }: Route.ActionArgs) {
  return answerSave(context, request);
}

/**
 * What was typed stays, whatever becomes of the save: also without a connection, and when the session ended meanwhile. A status
 * of an error keeps the router from asking the loaders again, which would then fail too and take the page away.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return data(await serverAction(), { status: 422 });
  } catch (answer) {
    const isSignedOut = answer instanceof Response && answer.headers.get("location")?.startsWith("/auth") === true;
    // The save went well and leads on.
    if (answer instanceof Response && !isSignedOut) throw answer;
    const text = isSignedOut ? messages.signedOut : reasonOf(answer);
    const refusal: SaveAnswer = { notice: { title: messages.saveFailed, text }, isSignedOut };
    return data(refusal, { status: 503 });
  }
}

/** What stood in the way of an answer: fetch throws a TypeError where there is no connection. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return messages.unreachable;
  return isRouteErrorResponse(error) && error.status === 413 ? messages.tooMuch : answerWords.broken;
}

export const meta: Route.MetaFunction = () => [{ title: "Your profile | Meishi" }];

export default function ProfileEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cards, ...loaded } = loaderData;
  return <ProfileEditor {...loaded} answer={actionData} cards={<CardList {...cards} />} />;
}

export { LoadFailed as ErrorBoundary };
