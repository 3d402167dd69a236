import { gzipSync } from "node:zlib";

import { parse } from "parse5";
import { describe, expect, test } from "vitest";

import { defaultImages } from "#app/features/wallet/assets/default-image-model.ts";
import { makeCard, pendingToast, makeOnlyUserPremium, shortPathOf } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { jpeg, plainImage, uploadFile } from "#tests/support/app/uploads.ts";
import { drawingOf, scanQrCode } from "#tests/support/fixtures/qr-readers.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";

/** The pages below the Share page of a card. */
const sections = ["signature", "print", "background", "nfc", "offline", "qr"] as const;

async function open(card: Record<string, string> = {}) {
  const { ada, ...app } = await createSignedInApp();
  const id = await makeCard(ada, card);
  const path = await shortPathOf(ada, id);
  const read = async (address: string) => (await ada.get(address)).text();
  return { ...app, ada, id, path, url: app.services.config.baseUrl + path, read };
}

describe("the page to share from", () => {
  test("is the owner's alone: a visitor signs in first, another owner's card responds like an unknown one", async () => {
    const { signedIn, visitor, id } = await open();
    const eve = await signedIn("eve@example.com");
    const files = ["signature.html", "contact-code.svg", "contact-code.png"].map((file) => `/share/card/${id}/${file}`);
    const pages = ["/share/profile", `/share/card/${id}`, ...sections.map((name) => `/share/card/${id}/${name}`)];
    for (const path of [...pages, ...files]) {
      const to = (await visitor().get(path)).headers.get("location");
      expect(to, path).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
    }
    for (const card of [id, "unknown"]) {
      expect((await eve.get(`/share/card/${card}`)).headers.get("location")).toBe("/profile");
      expect(pendingToast(eve)).toEqual({ title: "Error", text: "Failed to load business card.", tone: "error" });
      await eve.get("/profile");
      for (const name of sections)
        expect((await eve.get(`/share/card/${card}/${name}`)).headers.get("location")).toBe(`/share/card/${card}`);
    }
    for (const path of files) expect((await eve.get(path)).status, path).toBe(404);
  });

  test("contains the card's code, and a URL with its own mark for each way to share", async () => {
    const { id, path, url, read } = await open();
    const page = await read(`/share/card/${id}`);
    expect(await scanDrawing(page, "QR code for ada's business card")).toBe(`${url}?q`);
    const link = encodeURIComponent(`${url}?l`);
    for (const text of [
      "Copy link",
      `href="mailto:?subject=ada%20%E2%80%93%20business%20card&amp;body=${link}"`,
      `href="https://wa.me/?text=ada%20%E2%80%93%20business%20card%20${link}"`,
      `href="https://www.linkedin.com/sharing/share-offsite/?url=${link}"`,
      `href="https://x.com/intent/post?text=ada%20%E2%80%93%20business%20card&amp;url=${link}"`,
      `href="${path}/contact.vcf"`,
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/contact form/i);
    const signature = await read(`/share/card/${id}/signature.html`);
    for (const link of [`href="${url}?s"`, `src="${url}/signature.png"`]) expect(signature).toContain(link);
  });

  test("leads to a page for each other way to share, which leads back", async () => {
    const { ada, id, path, url, read } = await open();
    for (const [share, names] of [
      [`/share/card/${id}`, sections],
      ["/share/profile", sections.filter((name) => name !== "offline")],
    ] as const) {
      const page = await read(share);
      for (const name of names) {
        expect(page).toContain(`href="${share}/${name}"`);
        expect(await read(`${share}/${name}`), name).toMatch(new RegExp(`<a [^>]*href="${share}"[^>]*>.*?Share</a>`));
      }
      expect(page).toContain('href="/my-qr"');
    }
    for (const unknown of ["/share/cards/1/qr", `/share/profile/${id}/qr`, "/share/other/print"])
      expect((await ada.get(unknown)).status, unknown).toBe(404);
    expect(await read(`/share/card/${id}/nfc`)).toContain(`value="${url}?n"`);
    expect(await read(`/share/card/${id}/qr`)).toContain(
      `href="${path}/qr.svg?size=1024&amp;color=000000&amp;logo=none"`,
    );
    expect(await read(`/share/card/${id}/signature`)).toContain(`src="/share/card/${id}/signature.html`);
    expect(await read(`/share/card/${id}/background`)).toContain(`src="/share/card/${id}/background.png?tone=dark"`);
  });

  test("offers every image of wallet passes as a call background, dark and light beside them, without script", async () => {
    const { id, read } = await open();
    const page = await read(`/share/card/${id}/background?tone=washi`);
    for (const tone of ["dark", "light", ...defaultImages.map((image) => image.id)])
      expect(page).toMatch(new RegExp(`<input[^>]*name="tone"[^>]*value="${tone}"`));
    expect(page).toContain(`src="/share/card/${id}/background.png?tone=washi"`);
    expect(page.match(/<input[^>]*checked=""[^>]*>/g)?.filter((input) => input.includes('name="tone"'))).toHaveLength(
      1,
    );
  });

  test("has the choices of a QR code in the URL, without script, and refuses a color that would not scan", async () => {
    const { id, path, read } = await open();
    const styled = await read(`/share/card/${id}/qr?color=1e3a8a&logo=seal&opens=connect`);
    expect(styled).toContain(`href="${path}/qr.png?size=1024&amp;opens=connect&amp;color=1e3a8a&amp;logo=seal"`);
    const tooLight = await read(`/share/card/${id}/qr?color=ffd700`);
    for (const text of ['value="ffd700"', "too light to scan on a white background"]) expect(tooLight).toContain(text);
    expect(tooLight).not.toContain('download="qr-code.png"');
  });

  test("shares the profile by its handle", async () => {
    const { ada, services, path, read } = await open();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const page = await read("/share/profile");
    const url = `${services.config.baseUrl}/u/ada`;
    expect(await scanDrawing(page, "QR code for Ada Lovelace's profile")).toBe(`${url}?q`);
    expect(await read("/share/profile/nfc")).toContain(`value="${url}?n"`);
    // The card that Save Contact opens on the profile.
    expect(page).toContain(`href="${path}/contact.vcf"`);
    // A profile has no phone or email that a code could hold.
    expect(page).not.toContain("Offline contact code");
  });

  test.each([
    [{ is_public: 0 }, "It isn’t public", "/cards/edit/"],
    [{ is_paused: 1 }, "You paused it", "/profile"],
  ] as const)(
    "says of a card with %o that visitors can’t open it and what to do, and offers nothing",
    async (...row) => {
      const [change, why, href] = row;
      const { ada, id, services, read } = await open();
      await services.db.updateTable("card").set(change).where("id", "=", id).execute();
      const page = await read(`/share/card/${id}`);
      for (const text of ["Visitors can’t open this card", why, href]) expect(page).toContain(text);
      expect(page).not.toMatch(/Copy link|NFC|qr\.svg|signature/);
      for (const file of ["signature.html", "contact-code.svg"])
        expect((await ada.get(`/share/card/${id}/${file}`)).status).toBe(404);
      const kept = await read("/my-qr");
      expect(kept).toContain("visitors can’t open it: My Business Card");
      expect(kept).not.toContain(`/card/${id}`);
    },
  );

  test("says of a card beyond the plan that Premium shows it, wherever it stands in the list", async () => {
    const { ada, id, services, read } = await open();
    await makeOnlyUserPremium(ada, services);
    const second = await makeCard(ada, { card_name: "Second" });
    await services.db.updateTable("card").set({ list_position: 1 }).where("id", "=", second).execute();
    await services.db.deleteFrom("subscription").execute();
    const page = await read(`/share/card/${second}`);
    for (const text of ["The Free plan shows only your oldest card", 'href="/pricing"']) expect(page).toContain(text);
    expect(await read(`/share/card/${id}`)).toContain("Copy link");
  });
});

describe("the email signature's own page", () => {
  test("runs nothing, whatever the card says, and is shown in our own frames alone", async () => {
    const { ada, id } = await open({ company: `</td><script>alert(1)</script>`, position: `" onload="x` });
    const answer = await ada.get(`/share/card/${id}/signature.html`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "frame-ancestors 'self'"]) expect(policy).toContain(part);
    expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin))/);
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<td[^>]* onload/);
    expect(html).toContain("&lt;/td&gt;&lt;script&gt;");
    const page = await ada.get(`/share/card/${id}/signature`);
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'");
  });

  test("has four designs, shown and copied alike without script, with public images that mail programs show", async () => {
    const { ada, id, url, visitor, services, read } = await open({ accent: "indigo" });
    const share = `/share/card/${id}/signature`;
    const isDisabled = async (design: string) =>
      new RegExp(`<input[^>]*disabled=""[^>]*value="${design}"|<input[^>]*value="${design}"[^>]*disabled=""`).test(
        await read(share),
      );
    expect([await isDisabled("photo"), await isDisabled("logo"), await isDisabled("compact")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await read(`${share}.html?design=photo`)).toContain("/signature.png");
    await uploadFile(ada, "avatar", { bytes: await jpeg() });
    await uploadFile(ada, `logo:${id}`, { bytes: await plainImage(300, 100).png().toBuffer() });
    expect([await isDisabled("photo"), await isDisabled("logo")]).toEqual([false, false]);
    const images = { code: [/\.png$/], photo: [/\.jpg\?/, /\.png\?/], logo: [/\.png\?/], compact: [] };
    for (const [design, expected] of Object.entries(images)) {
      expect(await read(`${share}?design=${design}`)).toContain(`src="${share}.html?design=${design}"`);
      const html = await read(`${share}.html?design=${design}`);
      expect(html).toContain(`href="${url}?s"`);
      const shown = [...html.matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)"/g)];
      expect(shown).toHaveLength(expected.length);
      for (const [index, [, src = ""]] of shown.entries()) {
        expect(src).toMatch(expected[index] ?? "");
        const { origin, pathname, search } = new URL(src);
        expect(origin).toBe(services.config.baseUrl);
        const image = await visitor().get(pathname + search);
        expect(image.headers.get("content-type")).toMatch(/^image\/(png|jpeg)$/);
      }
      if (design === "logo") expect(shown[0]?.slice(2)).toEqual(["144", "48"]);
    }
    expect(await read("/share/profile/signature")).not.toContain('value="logo"');
  });

  test("contains what the card's page shows, not what only the contact file contains", async () => {
    const { id, services, read } = await open();
    const optional_fields = JSON.stringify({ visibility: { phone: "file", email: "page" } });
    await services.db.updateTable("card").set({ optional_fields }).where("id", "=", id).execute();
    const html = await read(`/share/card/${id}/signature.html`);
    expect(html).toContain('href="mailto:ada@example.com"');
    expect(html).not.toContain("+44");
    const contact = await scanQrCode(await read(`/share/card/${id}/contact-code.svg`));
    expect(contact).toContain("TEL:+44 20 7946 0000");
    expect(contact).not.toContain("ada@example.com");
  });
});

test("the contact in a code is read from SVG and PNG alike, without what its owner leaves out", async () => {
  const { ada, id, url } = await open();
  for (const kind of ["svg", "png"]) {
    const scan = async (query = "") => {
      const answer = await ada.get(`/share/card/${id}/contact-code.${kind}${query}`);
      return scanQrCode(kind === "svg" ? await answer.text() : Buffer.from(await answer.arrayBuffer()));
    };
    const whole = await scan();
    const lines = ["BEGIN:VCARD", "FN:ada", "TEL:+44 20 7946 0000", "EMAIL:ada@example.com", "ORG:Analytical Engines"];
    for (const line of [...lines, `URL:${url}?q`]) expect(whole).toContain(line);
    const less = await scan("?without=phone&without=url&without=nothing");
    expect(less).toContain("EMAIL:ada@example.com");
    expect(less).not.toMatch(/TEL|URL/);
  }
});

describe("My QR", () => {
  test("contains the owner's codes and no one else's, and makes no requests", async () => {
    const { ada, signedIn, url } = await open({ card_name: "Work & more" });
    const foreign = await makeCard(await signedIn("eve@example.com"));
    const answer = await ada.get("/my-qr");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = await answer.text();
    expect(page).toContain("Work &amp; more");
    expect(page).not.toContain(foreign);
    expect(await scanDrawing(page, "QR code for ada's page")).toBe(`${url}?q`);
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
  const { id, url, visitor } = await open();
  const page = await (await visitor().get(`/card/${id}`)).text();
  for (const attribute of ["data-copy", "data-share"]) expect(page).toContain(`${attribute}="${url}?l"`);
  expect(page).toContain(`https://wa.me/?text=ada%20%E2%80%93%20business%20card%20${encodeURIComponent(`${url}?l`)}`);
  expect(await scanDrawing(page, "QR code")).toBe(`${url}?q`);
});

/** The text of a page's QR code with that label, as a scanner reads it. */
const scanDrawing = (page: string, label: string) => scanQrCode(drawingOf(page, label));
