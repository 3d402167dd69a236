import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { SubscriptionPanel } from "./account-panels.tsx";

test("the subscription on Free has a button to upgrade only where Premium can be bought", () => {
  expect(show(true)).toMatch(/<a [^>]*href="\/pricing"[^>]*>Upgrade to Pro/);
  const html = show(false);
  expect(html).toContain("None");
  expect(html).toContain("Refresh");
  expect(html).not.toMatch(/Upgrade|href="\/pricing"/);
});

function show(canPay: boolean): string {
  const status = { isSubscribed: false, planName: "Free", change: undefined, canManage: false, isPaid: false };
  const Page = createRoutesStub([
    { path: "/", Component: () => <SubscriptionPanel isChecked={false} problem={undefined} {...{ status, canPay }} /> },
  ]);
  return renderToStaticMarkup(<Page />);
}
