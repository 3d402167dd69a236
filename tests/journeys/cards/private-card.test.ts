import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { readHead, visibleText } from "#tests/support/app/responses.ts";
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

test("a private card is found in no form and only in its owner's list and editor, until it is public again", async () => {
  const { signedIn, visitor } = await createTestApp({ env: walletSettings });
  const ada = await signedIn();
  const id = await makeCard(ada, secret);
  const guest = visitor();
  const statuses = () => Promise.all(forms.map(async (form) => (await guest.get(`/card/${id}${form}`)).status));
  expect(await statuses()).toEqual(forms.map(() => 200));
  await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, version: "1" });
  expect(await statuses()).toEqual(forms.map(() => 404));

  const hidden = [...forms.map((form) => `/card/${id}${form}`), `/cards/edit/${id}`];
  for (const person of [guest, await signedIn("eve@example.com")])
    for (const path of hidden) {
      const body = await (await person.get(path)).text();
      for (const word of Object.values(secret)) expect(body, path).not.toContain(word);
    }
  const page = await guest.get(`/card/${id}`);
  const text = visibleText(await page.clone().text()).replaceAll("&#x27;", "'");
  expect(text).toContain("Card Not Found");
  expect(text).toContain("This business card doesn't exist or is not publicly available.");
  const { isListed, metas } = await readHead(page);
  expect([isListed, Object.keys(metas).filter((name) => name.startsWith("og:"))]).toEqual([false, []]);
  expect(await (await ada.get("/profile")).text()).toContain("Not public");
  expect(await (await ada.get(`/cards/edit/${id}`)).text()).toContain(secret.company);

  await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, is_public: "on", version: "2" });
  expect(await statuses()).toEqual(forms.map(() => 200));
});
