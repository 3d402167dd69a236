import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { passVisitorScript } from "#app/features/sharing/visitor-script.ts";
import { findPassDesign } from "#app/features/wallet/data.server.ts";
import { baseOf, makeCard, makeOnlyUserPremium, pendingToast, shortPathOf } from "#tests/support/app/cards.ts";
import { readElements, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { plainImage, uploadFile } from "#tests/support/app/uploads.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openUpdatedApp } from "#tests/support/fixtures/wallet/updated-app.ts";
import { openWithCard } from "#tests/support/providers/google-wallet/google-app.ts";

async function open(env: Record<string, string> = {}, clock = Date.now) {
  const { ada, ...app } = await createSignedInApp({ env, clock });
  const id = await makeCard(ada);
  return { ...app, ada, id, path: `/cards/${id}/pass` };
}

const read = async (person: Visitor, path: string) => (await person.get(path)).text();
const readText = async (person: Visitor, path: string) =>
  visibleText(await read(person, path)).replaceAll("&#x27;", "'");
/** The targets of the links on a page with this text. */
const linksNamed = async (person: Visitor, path: string, name: string) =>
  readElements(await read(person, path)).flatMap(({ tag, text, attributes }) =>
    tag === "a" && text.includes(name) ? [attributes["href"]] : [],
  );

describe("the owner", () => {
  test("adds the pass from its editor and from the share page, without script, but not of a card that visitors can't open", async () => {
    const { ada, id, path, visitor } = await open(walletSettings);
    const card = await shortPathOf(visitor(), id);
    for (const page of [path, `/share/card/${id}`])
      expect(await linksNamed(ada, page, "Add to Apple Wallet")).toEqual([`${card}/pass.pkpass`]);
    expect(await read(ada, `/share/card/${id}`)).toContain(`href="${path}"`);
    expect(await readText(ada, path)).toContain("No device has this pass yet.");
    await ada.post(`/cards/${id}/pause`, {});
    expect(await readText(ada, path)).toContain("Visitors can’t open this card, so its passes are void.");
    expect(await read(ada, path)).not.toMatch(/pass\.pkpass|pass\.json/);
  });

  test("sees the pass at Google: added, being sent, late and why, and back", async () => {
    const { add, ada, id, google, pass, path: card, configure } = await openWithCard();
    const page = () => readText(ada, `/cards/${id}/pass`);
    expect(await linksNamed(ada, `/cards/${id}/pass`, "Add to Google Wallet")).toEqual([`${card}/google-wallet`]);
    const before = await page();
    expect(before).toContain("No one has added this pass yet.");
    expect(before).not.toContain("Add to Apple Wallet");
    await add();
    expect(await page()).toMatch(/Google has this pass, last updated on \w+ \d+, \d{4} at \d\d:\d\d UTC\./);
    google.state.isDown = true;
    await ada.post(`/cards/${id}/details`, { profession: "Analyst" });
    await pass(0);
    expect(await page()).toContain("The last change is on its way to Google.");
    await pass(6_000);
    expect(await page()).toMatch(/isn’t delivered yet.*Google Wallet can’t be reached\. We keep trying\./);
    configure(false);
    expect(await page()).toContain("Google Wallet isn’t set up on this site at the moment.");
    configure(true);
    google.state.isDown = false;
    await pass(60_000);
    const after = await page();
    expect(after).toContain("Google has this pass");
    expect(after).not.toMatch(/isn’t delivered yet|on its way/);
  });
});

describe("where no passes can be made", () => {
  test("the owner downloads what the pass is made of, without script, and no one else does", async () => {
    const { ada, id, path, signedIn, visitor } = await open();
    expect(await linksNamed(ada, path, "Download pass definition")).toEqual([`${path}.json`]);
    const file = await ada.get(`${path}.json`);
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-disposition": expect.stringMatching(/^attachment; filename="wallet-pass\.json"/),
    });
    expect(await file.json()).toMatchObject({ formatVersion: 1, serialNumber: id, eventTicket: {} });
    expect((await (await signedIn("bob@example.com")).get(`${path}.json`)).status).toBe(404);
    expect((await visitor().get(`${path}.json`)).headers.get("location")).toContain("/auth");
    await ada.post(`/cards/${id}/pause`, {});
    expect((await ada.get(`${path}.json`)).status).toBe(404);
    expect(await read(ada, path)).not.toContain(`href="${path}.json"`);
  });

  test("an operator is led to the settings, others aren't", async () => {
    const { ada, path, signedIn } = await open({ ADMIN_EMAILS: "operator@example.com" });
    expect(await read(ada, path)).not.toContain("/admin/setup");
    const operator = await signedIn("operator@example.com");
    const own = `/cards/${await makeCard(operator)}/pass`;
    expect(await linksNamed(operator, own, "Open the setup page")).toEqual(["/admin/setup"]);
  });
});

describe("the library without script", () => {
  async function openLibrary() {
    const app = await open();
    const { ada, path, services } = app;
    await makeOnlyUserPremium(ada, services);
    const bytes = await plainImage(40, 40).png().toBuffer();
    const upload = async (slot: string, name: string) => (await uploadFile(ada, slot, { bytes, name })).keyPrefix ?? "";
    const keys = {
      sea: await upload("pass-background:sea", "Sea.png"),
      mill: await upload("pass-logo:mill", "Mill.png"),
      wheel: await upload("pass-logo:wheel", "Wheel.png"),
    };
    const save = async (fields: Record<string, string>) => {
      const form = { background: "card", logo: "default", base: baseOf(await read(ada, path)), ...fields };
      return ada.post(path, { version: String((await designOf())?.version ?? 0), ...form });
    };
    const designOf = () => services.db.selectFrom("pass_design").select("version").executeTakeFirst();
    return { ...app, keys, save };
  }

  test("has the logos as choices, which are saved, and is searched by name", async () => {
    const { ada, id, path, keys, save, services } = await openLibrary();
    const choices = async () =>
      readElements(await read(ada, path)).flatMap(({ attributes }) =>
        attributes["name"] === "own_logo" ? [{ value: attributes["value"], isChosen: "checked" in attributes }] : [],
      );
    const values = (await choices()).map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining([`asset:${keys.mill}`, `asset:${keys.wheel}`]));
    expect((await save({ logo: "", own_logo: `asset:${keys.wheel}` })).status).toBe(302);
    expect(await findPassDesign(services.db, id)).toMatchObject({ logo: { kind: "asset", key: keys.wheel } });
    const chosen = (await choices()).filter(({ isChosen }) => isChosen);
    expect(chosen.map(({ value }) => value)).toEqual([`asset:${keys.wheel}`]);

    const library = async (query: string) => {
      const page = await read(ada, path + query);
      return page.slice(page.indexOf('id="library"'));
    };
    const all = await library("");
    for (const text of ["Sea", "Mill", "Wheel", "On 1 pass", "Not used"]) expect(visibleText(all)).toContain(text);
    const found = await library("?library=mILL");
    expect(found).toMatch(/value="mILL"/);
    expect(found).toContain("pass-logo:mill/remove");
    expect(found).not.toContain("pass-logo:wheel/remove");
    expect(await library("?library=nothing")).toContain("No image has this name.");

    expect((await save({ logo: "", own_logo: "none" })).status).toBe(302);
    expect(await findPassDesign(services.db, id)).toMatchObject({ logo: { kind: "none" } });
  });

  test("deletes an image by a form, which leads back; passes with it get the default", async () => {
    const { ada, id, path, keys, save, services } = await openLibrary();
    await save({ logo: "", own_logo: `asset:${keys.mill}` });
    const headers = { referer: `http://localhost:3000${path}?library=m`, accept: "text/html" };
    const deleted = await ada.post("/uploads/pass-logo:mill/remove", {}, headers);
    expect([deleted.status, deleted.headers.get("location")]).toEqual([302, path]);
    expect(pendingToast(ada)).toMatchObject({ title: "Image removed", tone: "success" });
    await services.jobs.runDue();
    expect(await findPassDesign(services.db, id)).toMatchObject({ logo: { kind: "default" } });
    expect(await read(ada, path)).not.toContain("pass-logo:mill/remove");
  });
});

async function openBadges(...options: Parameters<typeof open>) {
  const app = await open(...options);
  const path = await shortPathOf(app.visitor(), app.id);
  return { ...app, path };
}

test("the page of a card links to its pass without script, the same for all devices, in a page that the policy allows", async () => {
  const { visitor, path, id } = await openBadges(walletSettings);
  const response = await visitor().get(path);
  const page = readElements(await response.text());
  const badges = page.filter(({ attributes }) => attributes["class"]?.startsWith("badge "));
  expect(badges.map(({ tag, attributes }) => [tag, attributes["class"], attributes["href"]])).toEqual([
    ["a", "badge apple", `${path}/pass.pkpass`],
    ["a", "badge android", `${path}/pass.pkpass`],
  ]);
  // Its script says that the pass is ready when it is, and else why there is none.
  const making = `/functions/v1/generate-wallet-pass?cardId=${id}`;
  expect(badges.map(({ attributes }) => [attributes["data-pass"], attributes["data-ready"]])).toEqual([
    [making, "Apple Wallet Pass Ready|Your device should now prompt you to add the pass."],
    [making, "Your Wallet Pass is Ready|Your device should now prompt you to add the pass."],
  ]);
  const styles = page.filter(({ tag }) => tag === "style").map(({ text }) => text);
  expect(styles.at(-1)).toContain(".wallets{");
  const policy = response.headers.get("content-security-policy") ?? "";
  const scripts = page.filter(({ tag }) => tag === "script").map(({ text }) => text);
  expect(scripts).toEqual([passVisitorScript]);
  for (const inline of [...styles, ...scripts])
    expect(policy).toContain(`'sha256-${createHash("sha256").update(inline).digest("base64")}'`);
  const onAndroid = await visitor().get(path, { "user-agent": "Mozilla/5.0 (Linux; Android 16)" });
  expect(onAndroid.headers.get("etag")).toBe(response.headers.get("etag"));
});

/** Where a browser without script is led that opens the pass: the status and the text of the page. */
async function seeProblem({ visitor, path }: Awaited<ReturnType<typeof openBadges>>) {
  const opened = await visitor().get(`${path}/pass.pkpass`, { accept: "text/html" });
  const page = await visitor().get(opened.headers.get("location") ?? "");
  return [page.status, visibleText(await page.text()).replaceAll("&#x27;", "'")];
}

test("there is no such link where passes aren't configured, and once the certificate has expired", async () => {
  const none = await openBadges();
  expect(await (await none.visitor().get(none.path)).text()).not.toMatch(/wallets|Apple Wallet|pkpass/);
  expect((await none.visitor().get(`${none.path}/pass.pkpass`)).status).toBe(404);
  expect(await seeProblem(none)).toEqual([
    404,
    expect.stringMatching(/This site can’t make wallet passes.*Save Contact/),
  ]);
  const failing = await openBadges(walletSettings);
  failing.services.imageCache.get = () => Promise.reject(new Error("no worker"));
  expect(await seeProblem(failing)).toEqual([503, expect.stringMatching(/couldn’t be made.*Try again/)]);
  let now = Date.now();
  const { visitor, path } = await openBadges(walletSettings, () => now);
  const shows = async () => (await (await visitor().get(path)).text()).includes("pass.pkpass");
  expect(await shows()).toBe(true);
  now += 366 * 24 * 60 * 60_000;
  expect(await shows()).toBe(false);
});

/** What the banner of a page receives; undefined on a page without it. React Router sends a list in which values refer to each other by index. */
async function isUnfinished(ada: Visitor, path = "/account"): Promise<unknown> {
  const [line = ""] = (await (await ada.get(`${path}.data`)).text()).split("\n");
  const values = z.array(z.unknown()).parse(JSON.parse(line));
  const name = `_${values.indexOf("hasUnfinishedPass")}`;
  const index = values.flatMap((value) => z.record(z.string(), z.number()).safeParse(value).data?.[name] ?? []);
  return values[index[0] ?? -1];
}

async function design(ada: Visitor, id: string) {
  const path = `/cards/${id}/pass`;
  const base = baseOf(await read(ada, path));
  expect((await ada.post(path, { background: "card", logo: "default", version: "0", base })).status).toBe(302);
}

describe("the banner about the wallet pass", () => {
  test("is due until a pass is designed and a device has it", async () => {
    const { ada, id, device, pass } = await openUpdatedApp();
    expect(await isUnfinished(ada)).toBe(true);
    const phone = device(1);
    expect((await phone.add(pass)).status).toBe(201);
    expect(await isUnfinished(ada)).toBe(true);
    await design(ada, id);
    expect(await isUnfinished(ada)).toBe(false);
    await phone.remove(id);
    expect(await isUnfinished(ada)).toBe(true);
  });

  test("takes a pass that Google has for one that was added, if it is of the card that was designed by this user", async () => {
    const { ada, id, add, signedIn } = await openWithCard();
    await add();
    const bob = await signedIn("bob@example.com");
    await design(bob, await makeCard(bob));
    expect([await isUnfinished(ada), await isUnfinished(bob)]).toEqual([true, true]);
    await design(ada, id);
    expect([await isUnfinished(ada), await isUnfinished(bob)]).toEqual([false, true]);
  });

  test("takes a download for added where phones can't register, without https", async () => {
    const { ada, id, visitor } = await open(walletSettings);
    await design(ada, id);
    expect(await isUnfinished(ada)).toBe(true);
    await visitor().get(`${await shortPathOf(visitor(), id)}/pass.pkpass`);
    expect(await isUnfinished(ada)).toBe(false);
  });

  test("is never due where no passes can be made, and not requested on pages without the banner", async () => {
    const { ada } = await createSignedInApp();
    expect(await isUnfinished(ada)).toBe(false);
    const { ada: bob } = await createSignedInApp({ env: walletSettings });
    expect(await isUnfinished(bob, "/profile")).toBe(undefined);
    expect(await isUnfinished(bob, "/pricing")).toBe(true);
  });
});
