import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Toast } from "./toast.tsx";

test("a toast is announced and can be closed without script", () => {
  const html = renderToStaticMarkup(<Toast message={{ title: "Profile saved", tone: "success" }} />);
  expect(html).toContain('role="status"');
  expect(html).toContain("Profile saved");
  expect(html).toMatch(/<dialog open="".*<form method="dialog">.*aria-label="Dismiss"/s);
});

test("an error is announced at once", () => {
  expect(renderToStaticMarkup(<Toast message={{ title: "Failed to save profile", tone: "error" }} />)).toContain(
    'role="alert"',
  );
});

test("without a message there is an empty status region, so that a later one is announced", () => {
  const html = renderToStaticMarkup(<Toast message={undefined} />);
  expect(html).toContain('role="status"');
  expect(html).not.toContain("<dialog");
});
