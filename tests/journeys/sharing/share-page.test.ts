import { gzipSync } from "node:zlib";

import { parse } from "parse5";
import { describe, expect, test } from "vitest";

import { rasterize } from "#app/services/images/sharp.server.ts";
import { cardFields, makeCard, pendingToast, makeOnlyUserPremium, shortPathOf } from "#tests/support/app/cards.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("the page to share from", () => {
  test("is the owner's alone: a visitor signs in first, another owner's card responds like an unknown one", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const eve = await signedIn("eve@example.com");
    const files = ["signature.html", "contact-code.svg", "contact-code.png"].map((file) => `/share/card/${id}/${file}`);
    for (const path of ["/share/profile", `/share/card/${id}`, "/offline", ...files]) {
      const to = (await visitor().get(path)).headers.get("location");
      expect(to, path).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
    }
    for (const card of [id, "unknown"]) {
      expect((await eve.get(`/share/card/${card}`)).headers.get("location")).toBe("/profile");
      expect(pendingToast(eve)).toEqual({ title: "Error", text: "Failed to load business card.", tone: "error" });
      await eve.get("/profile");
    }
    for (const path of files) expect((await eve.get(path)).status, path).toBe(404);
  });

  test("contains the card's code, and a URL with its own mark for each way to share", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const page = await (await ada.get(`/share/card/${id}`)).text();
    const path = await shortPathOf(visitor(), id);
    const url = services.config.baseUrl + path;
    expect(await scanDrawing(page, "QR code for ada's business card")).toBe(`${url}?q`);
    expect(page).toContain(`value="${url}?n"`);
    expect(page).toContain(`href="${path}/qr.svg"`);
    expect(page).toContain(`src="/share/card/${id}/signature.html"`);
    expect(page).toContain(`src="/share/card/${id}/background.png?tone=dark"`);
    expect(page).toContain("Copy link");
    const signature = await (await ada.get(`/share/card/${id}/signature.html`)).text();
    expect(signature).toContain(`href="${url}?s"`);
    expect(signature).toContain(`src="${url}/signature.png"`);
  });

  test("shares the profile by its handle", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await ada.get("/profile");
    await services.db
      .insertInto("handle")
      .values({ handle: "ada", owner_id: await idOf(services), is_current: 1, created_at: 0 })
      .execute();
    const page = await (await ada.get("/share/profile")).text();
    const url = `${services.config.baseUrl}/u/ada`;
    expect(await scanDrawing(page, "QR code for ada's profile")).toBe(`${url}?q`);
    expect(page).toContain(`value="${url}?n"`);
    // A profile has no phone or email that a code could hold.
    expect(page).not.toContain("Offline contact code");
  });

  test.each([
    ["not public", { is_public: 0 }, "It isn&#x27;t public", "/cards/edit/"],
    ["paused", { is_paused: 1 }, "You paused it", "/profile"],
  ] as const)(
    "says of a card that is %s that visitors can't open it and what to do, and offers nothing",
    async (...row) => {
      const [, change, why, href] = row;
      const { signedIn, services } = await createTestApp();
      const ada = await signedIn();
      const id = await makeCard(ada);
      await services.db.updateTable("card").set(change).where("id", "=", id).execute();
      const page = await (await ada.get(`/share/card/${id}`)).text();
      for (const text of ["Visitors can&#x27;t open this card", why, href]) expect(page).toContain(text);
      for (const offer of ["Copy link", "NFC", "qr.svg", "signature"]) expect(page).not.toContain(offer);
      for (const file of ["signature.html", "contact-code.svg"])
        expect((await ada.get(`/share/card/${id}/${file}`)).status).toBe(404);
      const kept = await (await ada.get("/my-qr")).text();
      expect(kept).toContain("visitors can&#x27;t open it: My Business Card");
      expect(kept).not.toContain(`/card/${id}`);
    },
  );

  test("says of a card beyond the plan that Premium shows it, wherever it stands in the list", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const first = await makeCard(ada);
    await makeOnlyUserPremium(ada, services);
    const second = await makeCard(ada, { card_name: "Second" });
    await services.db.updateTable("card").set({ place: 1 }).where("id", "=", second).execute();
    await services.db.deleteFrom("subscription").execute();
    const page = await (await ada.get(`/share/card/${second}`)).text();
    for (const text of ["The Free plan shows only your oldest card", 'href="/pricing"']) expect(page).toContain(text);
    expect(await (await ada.get(`/share/card/${first}`)).text()).toContain("Copy link");
  });
});

describe("the email signature's own page", () => {
  test("runs nothing, whatever the card says, and is shown in our own frames alone", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { company: `</td><script>alert(1)</script>`, position: `" onload="x` });
    const answer = await ada.get(`/share/card/${id}/signature.html`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin))/);
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<td[^>]* onload/);
    expect(html).toContain("&lt;/td&gt;&lt;script&gt;");
    const page = await ada.get(`/share/card/${id}`);
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'");
  });

  test("contains what the card's page shows, not what only the contact file contains", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const more = JSON.stringify({ shown: { phone: "file", email: "page" }, phones: [], emails: [], address: {} });
    await services.db.updateTable("card").set({ more }).where("id", "=", id).execute();
    const html = await (await ada.get(`/share/card/${id}/signature.html`)).text();
    expect(html).toContain('href="mailto:ada@example.com"');
    expect(html).not.toContain("+44");
    const contact = await scanSvg(await (await ada.get(`/share/card/${id}/contact-code.svg`)).text());
    expect(contact).toContain("TEL:+44 20 7946 0000");
    expect(contact).not.toContain("ada@example.com");
  });
});

describe("the contact in a code", () => {
  test("is read from SVG and PNG alike, without what its owner leaves out", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const page = services.config.baseUrl + (await shortPathOf(visitor(), id));
    for (const kind of ["svg", "png"]) {
      const read = async (query = "") => {
        const answer = await ada.get(`/share/card/${id}/contact-code.${kind}${query}`);
        return kind === "svg" ? scanSvg(await answer.text()) : scanQrCode(Buffer.from(await answer.arrayBuffer()));
      };
      const whole = await read();
      for (const line of [
        "BEGIN:VCARD",
        "FN:ada",
        "TEL:+44 20 7946 0000",
        "EMAIL:ada@example.com",
        "ORG:Analytical Engines",
      ])
        expect(whole).toContain(line);
      expect(whole).toContain(`URL:${page}?q`);
      const less = await read("?without=phone&without=url&without=nothing");
      expect(less).toContain("EMAIL:ada@example.com");
      expect(less).not.toMatch(/TEL|URL/);
    }
  });
});

describe("My QR", () => {
  test("contains the owner's codes and no one else's, and makes no requests", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { card_name: "Work & more" });
    const path = await shortPathOf(visitor(), id);
    const eve = await signedIn("eve@example.com");
    const foreign = await makeCard(eve, { ...cardFields });
    const answer = await ada.get("/my-qr");
    // Workers of older releases cache this address.
    expect((await ada.get("/offline")).status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = await answer.text();
    expect(page).toContain("Work &amp; more");
    expect(page).not.toContain(foreign);
    expect(await scanDrawing(page, "QR code for ada&#x27;s page")).toBe(`${services.config.baseUrl}${path}?q`);
    expect(await scanDrawing(page, "QR code with the contact details of ada")).toContain("EMAIL:ada@example.com");
    expect(page).not.toMatch(/<script|<img|<link|src=|url\(|@import/);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(gzipSync(page).length).toBeLessThan(8_000);
    expect(parse(page).childNodes).toHaveLength(2);
  });

  test("explains itself to someone who is signed out, and leads back after signing in", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/my-qr");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([401, "no-store"]);
    const page = await answer.text();
    expect(page).toContain("Sign in to show your QR codes here");
    expect(page).toContain('href="/auth?returnTo=%2Fmy-qr"');
  });

  test("registers a worker that is revalidated each time, and is cleared when its owner signs out", async () => {
    const { signedIn, visitor } = await createTestApp();
    const worker = await visitor().get("/sw.js");
    expect(worker.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(gzipSync(await worker.text()).length).toBeLessThan(2_500);
    const left = await (await signedIn()).post("/auth/sign-out", {});
    expect(left.headers.get("clear-site-data")).toBe('"storage"');
  });
});

test("a URL that a visitor shares is marked as a link, one that they scan as a code", async () => {
  const { signedIn, visitor, services } = await createTestApp();
  const id = await makeCard(await signedIn());
  const page = await (await visitor().get(`/card/${id}`)).text();
  const url = services.config.baseUrl + (await shortPathOf(visitor(), id));
  expect(page).toContain(`data-copy="${url}?l"`);
  expect(page).toContain(`data-share="${url}?l"`);
  expect(page).toContain(`https://wa.me/?text=ada%20%E2%80%93%20business%20card%20${encodeURIComponent(`${url}?l`)}`);
  expect(await scanDrawing(page, "QR code")).toBe(`${url}?q`);
});

async function idOf({ db }: Awaited<ReturnType<typeof createTestApp>>["services"]): Promise<string> {
  return (await db.selectFrom("profile").select("owner_id").executeTakeFirstOrThrow()).owner_id;
}

/** The text of a page's QR code with that label, as a scanner reads it. */
async function scanDrawing(page: string, name: string): Promise<string | undefined> {
  const drawing = page
    .match(/<svg[^>]*>.*?<\/svg>/gs)
    ?.find(
      (svg) => svg.includes(`aria-label="${name}"`) || svg.includes(`aria-label="${name.replace("'", "&#x27;")}"`),
    );
  const [, viewBox] = /viewBox="([^"]*)"/.exec(drawing ?? "") ?? [];
  const [, d] = / d="([^"]*)"/.exec(drawing ?? "") ?? [];
  if (!viewBox || !d) throw new Error(`The page has no drawing called ${name}`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800" viewBox="${viewBox}"><path d="${d}" stroke="#000" fill="none"/></svg>`;
  return scanSvg(svg);
}

/** Drawn by another program: the product's image decoder doesn't accept SVG. */
async function scanSvg(svg: string): Promise<string | undefined> {
  return scanQrCode(await rasterize(svg));
}
