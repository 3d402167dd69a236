import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { readElements, visibleText } from "#tests/support/app/responses.ts";

import { Tabs } from "./tabs.tsx";

const tabs = [
  { id: "login", label: "Login", content: "first" },
  { id: "sign-up", label: "Sign Up", count: 2, content: "second" },
];

test("opens the first tab or the selected one, and renders every panel, so that the tabs work without script", () => {
  for (const [selected, open] of [
    [undefined, "login"],
    ["sign-up", "sign-up"],
  ]) {
    const html = renderToStaticMarkup(<Tabs label="Account" tabs={tabs} {...(selected && { selected })} />);
    const checked = readElements(html).filter(({ attributes }) => "checked" in attributes);
    expect(checked.map(({ attributes }) => attributes["value"])).toEqual([open]);
    for (const text of ["first", "second"]) expect(visibleText(html)).toContain(text);
  }
});
