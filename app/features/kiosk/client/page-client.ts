import { kioskMessages } from "#app/features/kiosk/messages.ts";
import type { LeadErrors } from "#app/features/leads/form-schema.ts";

import type { KioskState } from "./kiosk-state.ts";
import type { QueueCounts } from "./queue-client.ts";

/** Writes the state to the page. Each visitor gets new elements, so that nothing of the one before is left, not even to undo. */
export function showState(main: HTMLElement, state: KioskState, before: KioskState): void {
  const { screen, shown, mustReopen, leadId, problem } = state;
  const [form, owner] = [findPart(main, "form"), findPart(main, "owner")];
  const isNext = screen !== before.screen || leadId !== before.leadId;
  if (form && owner && (leadId !== before.leadId || shown !== before.shown)) {
    form.innerHTML = mustReopen ? "" : shown.formHtml;
    owner.innerHTML = shown.ownerHtml;
  }
  // At once: the next visitor may take the device before the time is over.
  if (screen === "thanks") form?.replaceChildren();
  for (const [name, isShown] of Object.entries(partsOf(state)))
    findPart(main, name)?.toggleAttribute("hidden", !isShown);
  for (const [name, text] of Object.entries(textsOf(state)))
    for (const element of main.querySelectorAll(`[data-text=${name}]`))
      if (element.textContent !== text) element.textContent = text;
  if (problem && problem !== before.problem) showProblem(form?.querySelector("form"), problem);
  if (!isNext) return;
  main.dataset["shows"] = screen;
  scrollTo(0, 0);
  (screen === "thanks" ? findPart(main, "thanks") : owner)?.querySelector("h1")?.focus({ preventScroll: true });
}

function findPart(main: HTMLElement, name: string): HTMLElement | null {
  return main.querySelector<HTMLElement>(`[data-part=${name}]`);
}

/** The elements with `data-part`, and whether they are shown. */
function partsOf({ screen, secondsLeft, isMailed, queue }: KioskState): Record<string, boolean> {
  return {
    form: screen === "form",
    idle: screen === "form" && secondsLeft !== undefined,
    thanks: screen === "thanks",
    mail: isMailed,
    left: countLeft(queue?.counts) > 0,
  };
}

/** The texts of the elements with `data-text`. */
function textsOf({ secondsLeft, queue }: KioskState): Record<string, string> {
  const left = countLeft(queue?.counts);
  return {
    ...(secondsLeft !== undefined && { seconds: String(secondsLeft) }),
    left: left === 1 ? "1 contact is" : `${left} contacts are`,
    ...(queue && describeQueue(queue)),
  };
}

function countLeft(counts: QueueCounts | undefined): number {
  return counts ? counts.waiting + counts.elsewhere : 0;
}

/** `queue` is always on the screen, `details` only when the owner asks for them. */
function describeQueue({ counts, isOnline }: NonNullable<KioskState["queue"]>): { queue: string; details: string } {
  if (!counts)
    return { queue: "Nothing can be stored in this browser.", details: "The form works only with a network." };
  const { waiting, elsewhere, refused } = counts;
  const waits = waiting > 0 && `${waiting} waiting to be sent.`;
  const reasons = [...new Set(refused)].map((reason) => {
    const count = refused.filter((one) => one === reason).length;
    return `${count} not accepted (${kioskMessages.refused[reason]}); deleted from this device after 90 days.`;
  });
  return {
    queue: sentences(!isOnline && "No network.", waits, refused.length > 0 && `${refused.length} not accepted.`),
    details: sentences(
      waits || "Nothing is waiting to be sent.",
      elsewhere > 0 && `${elsewhere} of other cards, sent when their kiosk page is open.`,
      ...reasons,
    ),
  };
}

function sentences(...texts: (string | false)[]): string {
  return texts.filter(Boolean).join(" ");
}

/** Shows errors next to their fields, as the server does, and moves the focus to the first one; or a notice above the form. */
function showProblem(form: HTMLFormElement | null | undefined, problem: LeadErrors | "not-stored") {
  if (!form) return;
  for (const error of form.querySelectorAll(".error")) error.remove();
  for (const field of form.querySelectorAll("[aria-invalid]"))
    for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  if (problem === "not-stored") {
    const notice = createError(kioskMessages.notStored);
    form.prepend(notice);
    return notice.scrollIntoView({ block: "center" });
  }
  for (const [name, text] of Object.entries(problem)) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof Element)) continue;
    const error = createError(text);
    error.id = `${name}-error`;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", error.id);
    field.closest(".field, .agree")?.append(error);
  }
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
}

function createError(text: string): HTMLElement {
  const error = document.createElement("p");
  error.className = "error";
  error.setAttribute("role", "alert");
  error.textContent = text;
  return error;
}
