import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Tabs } from "./tabs.tsx";

const tabs = [
  { id: "login", label: "Login", content: "first" },
  { id: "sign-up", label: "Sign Up", count: 2, content: "second" },
];

test("opens the first tab or the selected one", () => {
  expect(openTab(<Tabs label="Account" tabs={tabs} />)).toBe("login");
  expect(openTab(<Tabs label="Account" tabs={tabs} selected="sign-up" />)).toBe("sign-up");
});

test("renders every panel, so that the tabs work without script", () => {
  const html = renderToStaticMarkup(<Tabs label="Account" tabs={tabs} />);
  expect(html).toContain("first");
  expect(html).toContain("second");
});

function openTab(element: React.ReactElement): string | undefined {
  const inputs = renderToStaticMarkup(element).match(/<input[^>]*>/g) ?? [];
  const open = inputs.filter((input) => input.includes("checked"));
  expect(open).toHaveLength(1);
  return /value="([^"]+)"/.exec(open[0] ?? "")?.[1];
}
