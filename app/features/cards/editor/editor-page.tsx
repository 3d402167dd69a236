import { replace, useSearchParams } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { readFormValues, toFormValues } from "#app/features/cards/card-form.ts";
import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import { findPublicCard, listCards } from "#app/features/cards/data.server.ts";
import { redirectAtCardLimit } from "#app/features/cards/list/list-response.server.ts";
import { messages, serverMessages } from "#app/features/cards/messages.ts";
import {
  findMainCard,
  hiddenReason,
  byAge,
  idsBeyondPlan,
  newCard,
  hasRoomForCard,
} from "#app/features/cards/rules.ts";
import { countEntries } from "#app/features/links/rules.ts";
import { selectCardLinks } from "#app/features/links/tab-rules.ts";
import { loadOwnProfile, ownProfileName } from "#app/features/profile/own-profile.server.ts";
import { offeredWallets } from "#app/features/wallet/data.server.ts";
import { WalletBadges } from "#app/features/wallet/public/wallet-badges.tsx";
import { walletCss } from "#app/features/wallet/public/wallet-style.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { readNext } from "#app/ui/forms/leave-guard.tsx";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";
import { readVersionedForm } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/editor-page.ts";
import { CardEditor, editorTitle } from "./card-editor.tsx";
import { errorNotice } from "./form-state.ts";
import type { CardRejection } from "./form-state.ts";
import { saveCardForm } from "./editor-action.server.ts";
import { findSharedValues } from "#app/features/cards/shared-value-rules.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  // A new card opens with Share, which is a page of its own. Back then leads to the page before the form.
  if (params.id !== undefined && url.searchParams.get("tab") === "share") throw replace(`/share/card/${params.id}`);
  const owner = requireUser(context);
  const { db, clock, config } = services(context);
  const now = clock();
  const plan = await findPlan(services(context), owner.id);
  const profile = await loadOwnProfile(context);
  const { displayName, avatarKey, bio, isListed, theme } = profile;
  const { accents, hasBranding, hasOwnAccents, maxLinks, themes } = plan;
  const hasLeadForm = params.id !== undefined && (await findPublicCard(db, { id: params.id }))?.hasLeadForm === true;
  const shown = { avatarKey, bio, theme, hasBranding, hasLeadForm };
  const wallets = offeredWallets(services(context));
  const offer = { accents, hasOwnAccents, maxLinks, themes, isPremiumSold: config.premium === "sold" };
  const cards = await listCards(db, owner.id);
  if (params.id === undefined) {
    if (!hasRoomForCard(plan, cards.length)) throw redirectAtCardLimit(context, plan);
    const formId = crypto.randomUUID();
    const id = deriveCardId(owner.id, formId);
    const links = selectCardLinks(profile.links, now);
    const hiddenLinks = countEntries(profile.links).links - links.length;
    const names = cards.map(({ cardName }) => cardName);
    const contact = findMainCard(cards, { ...profile, plan }) ?? byAge(cards)[0];
    const fresh = {
      stored: {
        values: toFormValues(newCard({ displayName, links, maxLinks, names, contact }), displayName),
        version: 0,
      },
      logoKey: null,
      hidden: undefined,
      linksTaken: serverMessages.linksTaken({ shown: links.length, hidden: hiddenLinks, maxLinks }),
      shared: {},
    };
    return { ...fresh, id, formId, owner: shown, wallets, isListed, offer, cardUrl: `${config.baseUrl}/card/${id}` };
  }
  const card = cards.find(({ id }) => id === params.id);
  if (!card) throw redirectWithToast("/profile", { title: "Error", text: messages.loadFailed, tone: "error" });
  const { id, version } = card;
  return {
    id,
    formId: id,
    stored: { values: toFormValues(card, displayName), version },
    owner: shown,
    wallets,
    isListed,
    offer,
    logoKey: card.logoKey,
    linksTaken: undefined,
    shared: findSharedValues(
      card,
      cards.filter((other) => other !== card),
    ),
    cardUrl: config.baseUrl + cardPath(card),
    hidden: hiddenReason({ ...card, isBeyondPlan: idsBeyondPlan(plan, cards).has(card.id) }, plan),
  };
}

export function action({ params, context, request, url }: Route.ActionArgs) {
  return saveCardForm(context, { id: params.id, query: url.search, request, profile: ownProfileName(context) });
}

/** Keeps the form as it is when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<CardRejection>({ request, serverAction, readNext }, (form, failure) => {
    const notice = errorNotice(messages.saveFailed(failureTexts[failure]));
    return readVersionedForm(form, readFormValues(form)).reject({ notice, failure });
  });
}

const failureTexts = {
  offline: messages.offline,
  "signed-out": messages.signedOut,
  "too-large": messages.tooLarge,
  failed: messages.serverError,
};

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${editorTitle(loaderData?.stored.version ?? 0)} | Meishi` }];
}

export default function CardEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const tab = query.get("tab") === "design" ? "design" : "edit";
  // Another card gets another form.
  const { id, wallets: offered } = loaderData;
  const hasPass = offered.apple || offered.google;
  const wallets = hasPass && <WalletBadges cardId={id} path={`/card/${id}`} offered={offered} />;
  return (
    <CardEditor
      key={id}
      card={loaderData}
      tab={tab}
      received={actionData}
      preview={{ wallets, css: hasPass ? walletCss : "" }}
    />
  );
}
