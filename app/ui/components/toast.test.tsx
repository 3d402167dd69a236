import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { readElements } from "#tests/support/app/responses.ts";

import { Toast } from "./toast.tsx";

const show = (message?: React.ComponentProps<typeof Toast>["message"]) =>
  readElements(renderToStaticMarkup(<Toast message={message} />));
const rolesOf = (elements: ReturnType<typeof show>) => elements.flatMap(({ attributes }) => attributes["role"] ?? []);

test("a toast is announced, an error at once, and can be closed without script", () => {
  const saved = show({ title: "Profile saved", tone: "success" });
  expect(rolesOf(saved)).toContain("status");
  expect(saved.map(({ text }) => text)).toContain("Profile saved");
  const [dialog, form] = ["dialog", "form"].map((name) => saved.find(({ tag }) => tag === name)?.attributes);
  expect([dialog, form]).toMatchObject([{ open: "" }, { method: "dialog" }]);
  expect(saved.map(({ attributes }) => attributes["aria-label"])).toContain("Dismiss");
  expect(rolesOf(show({ title: "Failed to save profile", tone: "error" }))).toContain("alert");
});

test("without a message there is an empty status region, so that a later one is announced", () => {
  const empty = show();
  expect(rolesOf(empty)).toContain("status");
  expect(empty.map(({ tag }) => tag)).not.toContain("dialog");
});
