import { runMaintenance } from "#server/maintenance.ts";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { openGoogleWalletDouble } from "./wallet-double.ts";

/** An installation with Google Wallet, Google's double, and a card. */
export async function openWithCard(env: Record<string, string> = {}) {
  let now = Date.now();
  const clock = () => now;
  const google = await openGoogleWalletDouble({ clock });
  const app = await createTestApp({ env: { ...google.env, ...env }, clock });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  const { googleWallet } = app.services;
  const path = await shortPathOf(app.visitor(), id);
  return {
    ...app,
    google,
    ada,
    id,
    path,
    object: () => google.objectOf(id),
    /** What a visitor gets who presses the button. */
    add: () => app.visitor().get(`${path}/google-wallet`),
    /** What a restart with and without the settings of Google Wallet does. */
    configure: (isOn: boolean) => Object.assign(app.services, { googleWallet: isOn ? googleWallet : undefined }),
    maintain: () => runMaintenance(app.services.features, app.services),
    /** Lets time pass and does the work that is due. */
    pass: async (ms: number) => {
      now += ms;
      await app.services.jobs.runDue();
    },
    /** The same step by step, as in a process that polls. */
    wait: async (ms: number, steps = 200) => {
      for (let step = 0; step < steps; step++) {
        now += ms / steps;
        await app.services.jobs.runDue();
      }
    },
  };
}
