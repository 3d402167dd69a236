import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const secret = {
  company: "Hidden Company",
  email: "hidden@example.com",
  phone: "+1 555 0199",
  profession: "Hidden Profession",
};

/** Every public form of a card. */
const forms = ["", "/contact.vcf", "/pass.pkpass", "/qr.svg", "/qr.png", "/qr.png?size=128", "?q"];

describe("a private card", () => {
  test("is not found in any form, like an unknown card", async () => {
    const { signedIn, visitor } = await createTestApp({ env: walletSettings });
    const ada = await signedIn();
    const id = await makeCard(ada, { ...secret, is_public: "" });
    const people = { visitor: visitor(), other: await signedIn("eve@example.com"), owner: ada };
    for (const [who, person] of Object.entries(people)) {
      await person.get("/profile");
      for (const form of forms) {
        const hidden = await person.get(`/card/${id}${form}`);
        const unknown = await person.get(`/card/${crypto.randomUUID()}${form}`);
        expect(hidden.status, `${who} ${form}`).toBe(404);
        expect(unknown.status).toBe(404);
        const body = await hidden.text();
        for (const word of Object.values(secret)) expect(body).not.toContain(word);
        expect(alike(body)).toBe(alike(await unknown.text()));
      }
    }
    const page = await (await visitor().get(`/card/${id}`)).text();
    expect(page).toContain("Card Not Found");
    expect(page).toContain("This business card doesn&#x27;t exist or is not publicly available.");
    expect(page).toContain('content="noindex"');
    expect(page).not.toContain("og:");
  });

  test("disappears in every form when it becomes private, and is back when public", async () => {
    const { signedIn, visitor } = await createTestApp({ env: walletSettings });
    const ada = await signedIn();
    const id = await makeCard(ada, secret);
    const guest = visitor();
    const statuses = () => Promise.all(forms.map(async (form) => (await guest.get(`/card/${id}${form}`)).status));
    expect(await statuses()).toEqual(forms.map(() => 200));
    await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, version: "1" });
    expect(await statuses()).toEqual(forms.map(() => 404));
    await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, is_public: "on", version: "2" });
    expect(await statuses()).toEqual(forms.map(() => 200));
  });

  test("appears only in its owner's lists and editor", async () => {
    const { signedIn, visitor } = await createTestApp({ env: walletSettings });
    const ada = await signedIn();
    const id = await makeCard(ada, { ...secret, is_public: "" });
    expect(await (await ada.get("/profile")).text()).toContain("Not public");
    expect(await (await ada.get(`/cards/edit/${id}`)).text()).toContain(secret.company);
    for (const path of ["/cards/edit/", "/cards/"]) {
      expect(await (await visitor().get(`${path}${id}`)).text()).not.toContain(secret.company);
    }
  });
});

/** A page without what differs in each response: ids in URLs, the request's id, nonces. */
function alike(body: string): string {
  return body
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id")
    .replaceAll(/nonce[^ >]*/g, "")
    .replaceAll(/[\da-f]{8}-[\da-z]+/g, "request");
}
