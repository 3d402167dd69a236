import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A stop of the Tab key: its text, its radio group, and whether it has a focus ring. */
export type FocusStop = { label: string; group: string; ring: boolean };

/** Presses Tab through the whole page and returns every stop. */
export async function tabThrough(page: Page): Promise<FocusStop[]> {
  const stops: FocusStop[] = [];
  let where = await readFocus(page);
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press("Tab");
    if (page.frames().length > 1) where = await waitForFocusMove(where, page);
    const found = await page.evaluate(focusRing);
    // While Tab goes through a frame, or through the parts of a date, the element keeps this document's focus.
    if ((found?.group === frame || found?.group === parts) && !found.isNew) continue;
    if (!found?.isNew) return stops;
    stops.push(found);
  }
  throw new Error(`The keyboard does not get out of ${stops.at(-1)?.label}`);
}

/**
 * The focus after the last Tab took effect. A frame may be another process, which takes the focus and returns it late; another Tab before
 * that would skip a stop.
 */
async function waitForFocusMove(before: FocusState, page: Page): Promise<FocusState> {
  let now = before;
  const hasArrived = async () => {
    now = await readFocus(page);
    const isOnTheWay =
      (now.inPage.startsWith("IFRAME") && now.inFrames.every(isOnBody)) ||
      (before.inPage.startsWith("IFRAME") && isOnBody(now.inPage));
    const hasMoved = now.inPage !== before.inPage || String(now.inFrames) !== String(before.inFrames);
    // The parts of a date are no elements.
    return before.inPage.startsWith("INPUT:date") || (hasMoved && !isOnTheWay);
  };
  await expect.poll(hasArrived, { interval: 20 }).toBe(true);
  return now;
}

const isOnBody = (focused: string) => focused.startsWith("BODY");

type FocusState = { inPage: string; inFrames: string[] };

async function readFocus(page: Page): Promise<FocusState> {
  const [inPage = "", ...inFrames] = await Promise.all(page.frames().map((one) => one.evaluate(describeFocus)));
  return { inPage, inFrames };
}

/** The tag of a document's focused element, the type of a date, and a number that identifies the element. */
function describeFocus(): string {
  const counted = window as Window & { numbers?: WeakMap<Element, number>; latest?: number };
  const numbers = (counted.numbers ??= new WeakMap());
  const element = document.activeElement;
  if (!element) return "";
  const number = numbers.get(element) ?? (counted.latest = (counted.latest ?? 0) + 1);
  numbers.set(element, number);
  const type = element instanceof HTMLInputElement && element.type.startsWith("date") ? `:${element.type}` : "";
  return `${element.tagName}${type} ${number}`;
}

const maxPresses = 1_000;
const frame = "frame";
const parts = "parts of a date";

/** Visible controls that `tabThrough` did not reach. One radio button of a group is enough. */
export function findUnreachable(page: Page, stops: readonly FocusStop[]): Promise<string[]> {
  return page.evaluate(
    (groups) => {
      const { reached } = window as TrackedWindow;
      const operable =
        "a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select, textarea, summary";
      return (
        [...document.querySelectorAll<HTMLElement>(operable)]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          // `aria-hidden` marks a trap for robots.
          .filter((element) => !element.closest("[inert], [aria-hidden=true]"))
          .filter(
            (element) =>
              !(element instanceof HTMLInputElement && element.type === "radio" && groups.includes(element.name)),
          )
          .filter((element) => !reached?.has(element))
          .map((element) => element.outerHTML.slice(0, 160))
      );
    },
    stops.map(({ group }) => group),
  );
}

type TrackedWindow = Window & { reached?: Set<Element> };

/** Whether the focused element has a ring of 2 pixels with a contrast of 3:1 to its background (WCAG 1.4.11). */
function focusRing(): (FocusStop & { isNew: boolean }) | undefined {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const walked = window as TrackedWindow;
  const reached = (walked.reached ??= new Set());
  const isNew = !reached.has(element);
  reached.add(element);
  if (element instanceof HTMLIFrameElement) return { label: element.title, group: "frame", ring: true, isNew };
  const input = element instanceof HTMLInputElement ? element : undefined;
  const group = input?.type === "radio" ? input.name : input?.type.startsWith("date") ? "parts of a date" : "";
  // A hidden native control shows its ring on the element drawn in its place.
  const shown = [element, element.nextElementSibling, element.parentElement].find(
    (one) => one?.checkVisibility({ opacityProperty: true }) && getComputedStyle(one).outlineStyle !== "none",
  );
  const label = element.getAttribute("aria-label") ?? element.textContent.slice(0, 40);
  if (!shown) return { label: label || element.outerHTML.slice(0, 120), group, ring: false, isNew };
  const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(shown);
  const parts = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const scale = color.startsWith("color(") ? 1 : 255;
    const [red = 0, green = 0, blue = 0] = parts(color).map((part) => {
      const share = part / scale;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isOpaque = (color: string) => color !== "transparent" && (parts(color)[3] ?? 1) > 0.9;
  /** The background of an element: the nearest opaque color, or the first one of a gradient. */
  const groundOf = (one: Element | null): string => {
    if (!one) return "rgb(255, 255, 255)";
    const { backgroundImage, backgroundColor } = getComputedStyle(one);
    const colors = [...(backgroundImage.match(/(?:rgba?|color)\([^()]+\)/g) ?? []), backgroundColor];
    return colors.find(isOpaque) ?? groundOf(one.parentElement);
  };
  const isInside = Number.parseFloat(outlineOffset) < 0;
  const pair = [luminance(outlineColor), luminance(groundOf(isInside ? shown : shown.parentElement))];
  const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  const ring = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && contrast >= 3;
  return { label: label || element.outerHTML.slice(0, 120), group, ring, isNew };
}
