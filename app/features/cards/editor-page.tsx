import { useEffect, useId, useRef, useState } from "react";
import { data, Form, useNavigation } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { LeaveGuard } from "#app/ui/leave-guard.tsx";
import { services, member } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import { Toast } from "#app/ui/toast.tsx";

import type { Route } from "./+types/editor-page.ts";
import { cardIdOf } from "./card-id.server.ts";
import { BasicSection } from "./basic-section.tsx";
import { CardAddress } from "./card-address.tsx";
import { isSameText, readText, textOf } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { countCards, listCards } from "./data.server.ts";
import { notSaved } from "./editing.ts";
import type { SaveAnswer, StoredText } from "./editing.ts";
import { EditorHead } from "./editor-head.tsx";
import { EditorPreview } from "./editor-preview.tsx";
import { useLatestToast } from "./latest-toast.ts";
import { ImportControl } from "./import-control.tsx";
import { LinksSection } from "./links-section.tsx";
import { useLogo } from "./logo-state.ts";
import { messages } from "./messages.ts";
import { MoreSection } from "./more-section.tsx";
import { PrivacySection } from "./privacy-section.tsx";
import { ProfessionalSection } from "./professional-section.tsx";
import { isShownAt } from "#app/features/links/schedule.ts";
import { hiddenBecause, isBeyondPlan, newCard, oldestOf, refuseNewCard } from "./rules.ts";
import { SaveBar } from "./save-bar.tsx";
import { answerSave, sendToPricing } from "./saving.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const owner = member(context);
  const { db, clock, config } = services(context);
  const now = clock();
  const plan = await findPlan(db, owner.id, now);
  const profile = await loadOwnProfile(context);
  const { displayName, avatarStem } = profile;
  if (params.id === undefined) {
    if (refuseNewCard(plan, await countCards(db, owner.id))) throw sendToPricing();
    const formId = crypto.randomUUID();
    const id = cardIdOf(owner.id, formId);
    const fresh = {
      version: 0,
      saved: textOf(newCard({ ...profile, links: profile.links.filter((link) => isShownAt(link, now)) })),
      logoStem: null,
      hidden: undefined,
    };
    return { ...fresh, id, formId, displayName, avatarStem, cardUrl: `${config.baseUrl}/card/${id}` };
  }
  const cards = await listCards(db, owner.id);
  const card = cards.find(({ id }) => id === params.id);
  if (!card) throw redirectWithToast("/profile", { title: "Error", text: messages.loadFailed, tone: "error" });
  const { id, version } = card;
  return {
    id,
    formId: id,
    version,
    saved: textOf(card),
    displayName,
    avatarStem,
    logoStem: card.logoStem,
    cardUrl: `${config.baseUrl}/card/${id}`,
    hidden: hiddenBecause({ ...card, isBeyondPlan: isBeyondPlan(plan, { isOldest: card === oldestOf(cards) }) }),
  };
}

export function action({ params, context, request }: Route.ActionArgs) {
  return answerSave(context, { id: params.id, request, makeProfile: () => loadOwnProfile(context) });
}

/** Where the server can't be reached, or nobody is signed in there any more, the form stays as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const answer = await serverAction().catch((problem) => {
    if (!(problem instanceof Response)) return notSaved(form, messages.offline);
    if (problem.headers.get("location")?.startsWith("/auth")) return notSaved(form, messages.signedOut);
    // The save went well and leads on.
    throw problem;
  });
  // With the status of a refusal nothing is asked for anew: the page stays as it is.
  return data<SaveAnswer>(answer, { status: 422 });
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${titleOf(loaderData?.version ?? 0)} | Meishi` }];
}

export default function CardEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  // Another card is another form. A card that was just made is the same one as before: what is being typed stays.
  return <Editor key={loaderData.id} card={loaderData} answer={actionData} />;
}

type EditorProps = { card: Route.ComponentProps["loaderData"]; answer: SaveAnswer | undefined };

function Editor({ card, answer }: EditorProps) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(answer?.typed ?? card.saved);
  const [taken, setTaken] = useState<StoredText>();
  const [toast, setToast] = useLatestToast(answer?.failure);
  const [fills, setFills] = useState(0);
  const navigation = useNavigation();
  const isSaving = navigation.formMethod === "POST" && navigation.formAction?.startsWith("/cards/edit") === true;
  const stored = storedBy(card, { answer, taken });
  const isDirty = !isSameText(text, stored.text);
  const other = answer?.other && answer.other.version > stored.version ? answer.other : undefined;

  // Only the browser knows what was typed before the script ran.
  useEffect(() => {
    if (form.current) setText(readText(new FormData(form.current)));
  }, []);

  // Whoever can't see where it is wrong is taken there.
  useEffect(() => {
    if (answer?.errors) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    // So is whoever has to choose, and may be far below what they choose from.
    if (answer?.other) form.current?.querySelector<HTMLElement>("[name=replaces]")?.focus();
  }, [answer]);

  const preview = (event: React.MouseEvent) => {
    const refused = isDirty ? messages.previewUnsaved : card.hidden;
    if (!refused) return;
    event.preventDefault();
    setToast({ ...refused, tone: "info" });
  };
  const take = (chosen: StoredText) => {
    setTaken(chosen);
    setText(chosen.text);
  };
  // The fields are the browser's: they take other words when they are made anew.
  const fill = (filled: CardText) => {
    setText(filled);
    setFills(fills + 1);
  };
  const editing = { text, answer };
  const isSaved = card.version > 0;
  const cardId = isSaved ? card.id : undefined;
  const logo = useLogo({ cardId, stem: card.logoStem, company: text.company, say: setToast });
  return (
    <>
      <div className={pageLook}>
        <div className="grid min-w-0 gap-5">
          <EditorHead title={titleOf(card.version)} previewId={cardId} onPreview={preview} />
          {isSaved && <CardAddress {...{ card, say: setToast }} />}
          {!isSaved && <ImportControl text={text} onFill={fill} />}
          <Form
            key={`${taken?.version}-${fills}`}
            ref={form}
            id={formId}
            method="post"
            // Back leads to where one came from, not to the form of a card that is made by now.
            replace
            noValidate
            className="grid gap-5"
            onInput={({ currentTarget }) => setText(readText(new FormData(currentTarget)))}
            onSubmit={(event) => isSaving && event.preventDefault()}
          >
            <input type="hidden" name="id" value={card.formId} autoComplete="off" />
            <input type="hidden" name="version" value={stored.version} autoComplete="off" />
            {other && <ConflictNotice cardId={card.id} mine={text} other={other} onTake={take} />}
            <BasicSection editing={editing} />
            <ProfessionalSection editing={editing} logo={logo} />
            <LinksSection editing={editing} onChange={(links) => setText({ ...text, links })} />
            <MoreSection editing={editing} onChange={(rows) => setText({ ...text, ...rows })} />
            <PrivacySection editing={editing} />
          </Form>
        </div>
        <EditorPreview text={text} displayName={card.displayName} avatarStem={card.avatarStem} logoStem={logo.stem} />
      </div>
      <SaveBar
        formId={formId}
        isDirty={isDirty}
        isSaving={isSaving}
        answer={taken && answer?.other ? undefined : answer}
      />
      <LeaveGuard isDirty={isDirty || logo.isUploading} isSaving={isSaving} text={messages.leave} />
      <Toast message={toast} />
    </>
  );
}

/** What is stored as far as this page knows, and the version of it that a save would replace. */
function storedBy(
  { saved, version }: EditorProps["card"],
  { answer, taken }: { answer: SaveAnswer | undefined; taken: StoredText | undefined },
): StoredText {
  if (taken && taken.version > version) return taken;
  return { text: saved, version: answer?.version ?? version };
}

function titleOf(version: number): string {
  return version > 0 ? "Edit Business Card" : "Create Business Card";
}

const pageLook =
  "mx-auto grid w-full max-w-[1200px] items-start gap-x-16 px-5 pt-6 pb-5 lg:grid-cols-[minmax(0,560px)_minmax(0,1fr)]";
