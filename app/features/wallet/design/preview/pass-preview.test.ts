import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { drawDefaultImage } from "#app/features/wallet/assets/default-image-drawing.ts";
import { findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import { drawPassPart } from "#app/features/wallet/apple/pass-images.server.ts";
import { applePassTask } from "#app/features/wallet/apple/pass-tasks.server.ts";
import { genericClass, genericObject } from "#app/features/wallet/google/pass-json.ts";
import { voidedContent } from "#app/features/wallet/pass-content.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { contrast, leastTextContrast } from "#app/services/base/color-contrast.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, demoSigner } from "#tests/support/fixtures/wallet/demo-wallet.ts";

import { ApplePassBack, ApplePassFront } from "./apple-pass-preview.tsx";
import { GooglePassBack, GooglePassFront } from "./google-pass-preview.tsx";
import { previewedPass } from "./preview-content.ts";
import type { PreviewedImages } from "./preview-content.ts";
import { applePassColors, passCss } from "./preview-style.ts";

const voided = voidedContent({
  cardId: "one",
  cardUrl: "https://meishi.example/c/h7k2m9x",
  issuer: { name: "Meishi", url: "https://meishi.example" },
});
const full: PassContent = {
  ...voided,
  isVoided: false,
  qr: { message: "https://meishi.example/c/h7k2m9x?w", label: "meishi.example/c/h7k2m9x" },
  heading: "Analytical Engines",
  name: "Ada Lovelace",
  job: "Programmer · Analytical Engines",
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  links: [
    { label: "Notes", url: "https://example.com/notes" },
    { label: "Code", url: "https://example.com/code" },
  ],
  bio: "I write programs.",
};
const bare = { job: "", heading: "", email: "", phone: "", links: [], bio: "", hasBranding: false };
const noLogo = { ...full.images, logo: { kind: "none" } } as const;
const cases: [name: string, content: PassContent][] = [
  ["everything", full],
  ["nothing but a name", { ...full, ...bare, qr: { ...full.qr, label: "" }, images: noLogo }],
  [
    "a phone number and its own logo",
    { ...full, email: "", images: { ...full.images, logo: { kind: "asset", key: "a" } } },
  ],
  ["what a void one has", voided],
];

const none: PreviewedImages = {
  qr: { size: 21, d: "" },
  logo: { kind: "none" },
  avatar: undefined,
  background: undefined,
};

/** The texts of a view in the order in which they are read. */
function textsOf(view: typeof ApplePassFront, content: PassContent): string[] {
  const html = renderToStaticMarkup(createElement(view, { pass: previewedPass(content, none) }));
  const visible = html.replaceAll(/<dt class="sr-only"[^>]*>[^<]*<\/dt>|<span[^>]*aria-hidden[^>]*>[^<]*<\/span>/g, "");
  const texts = visible.split(/<[^>]*>/).map((text) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&"));
  return texts.filter((text) => text.trim() !== "");
}

/**
 * The texts of a generic pass from top to bottom, as Google describes its layout: title, subheader above the header, the class's rows of
 * fields, and the text below the code; on the details all text modules and then the links.
 * https://developers.google.com/wallet/generic/resources/template
 */
function readGoogleTexts(content: PassContent) {
  const { cardRowTemplateInfos } = genericClass("1").classTemplateInfo.cardTemplateOverride;
  const object = genericObject(content, { issuerId: "1", imageBase: undefined, imageVersion: "" });
  const { cardTitle, subheader, header, barcode, textModulesData, linksModuleData } = object;
  const modules = textModulesData ?? [];
  const rows = cardRowTemplateInfos
    .flatMap(({ twoItems }) => [twoItems.startItem, twoItems.endItem])
    .flatMap(({ firstValue }) => firstValue.fields)
    .flatMap(({ fieldPath }) => modules.find(({ id }) => fieldPath === `object.textModulesData['${id}']`) ?? []);
  const titles = [cardTitle, subheader, header].map((text) => text?.defaultValue.value);
  const textsIn = (texts: typeof modules) => texts.flatMap((module) => [module.header, module.body]);
  const links = linksModuleData?.uris.map(({ description }) => description) ?? [];
  return {
    front: [...titles, ...textsIn(rows), barcode?.alternateText].filter(Boolean),
    details: [...textsIn(modules), ...links].filter(Boolean),
  };
}

describe.each(cases)("the preview of a pass with %s shows what the wallets get", (_, content) => {
  test("in Apple Wallet", async () => {
    const file = await applePassTask.run({
      content,
      parts: [],
      options: { authenticationToken: "", serviceUrl: undefined },
      signer: demoSigner,
      now: Date.now(),
    });
    const { pass } = await checkPass(file, demoCertificates.root);
    const { primaryFields = [], secondaryFields = [], auxiliaryFields = [], backFields = [] } = pass?.eventTicket ?? {};
    const textsIn = (fields: typeof backFields) => fields.flatMap(({ label, value }) => [label, value]);
    const front = textsIn([...primaryFields, ...secondaryFields, ...auxiliaryFields]);
    const { logoText, barcode } = { ...pass } as { logoText?: string; barcode?: { altText?: string } };
    expect(textsOf(ApplePassFront, content)).toEqual([logoText, ...front, barcode?.altText].filter(Boolean));
    expect(textsOf(ApplePassBack, content)).toEqual(textsIn(backFields).filter(Boolean));
  });

  test("in Google Wallet", () => {
    const { front, details } = readGoogleTexts(content);
    expect(textsOf(GooglePassFront, content)).toEqual(front);
    expect(textsOf(GooglePassBack, content)).toEqual(details);
  });
});

test("the preview of a tinted background has texts in the color of the real pass", async () => {
  for (const id of ["waves", "washi", "kraft", "mist"]) {
    const images = { ...full.images, background: { kind: "default", id }, tint: "#3a5f8c" } as const;
    const content: PassContent = { ...full, images };
    const photos = { avatar: undefined, logo: undefined, background: undefined, drawing: drawDefaultImage(id) };
    const { colors } = await drawPassPart("background", content, photos);
    // Before and after the browser has loaded the image.
    for (const sampled of [undefined, findDefaultImage(id)?.colors])
      expect(applePassColors(content, sampled).text, id).toBe(colors?.text);
  }
});

test("texts of the Google preview are readable on the color of the card, which stays under a background", () => {
  for (const ground of ["#fbf9f4", "#17181b", "#e0412b", "#777777"] as const) {
    const content: PassContent = {
      ...full,
      colors: { ...full.colors, background: [ground, ground] },
      images: { ...full.images, background: { kind: "default", id: "waves" } },
    };
    const css = passCss(content, undefined);
    expect(css).toContain(`--google-ground:${ground};`);
    const text = /--google-text:(#\w+)/.exec(css)?.[1] ?? "";
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(leastTextContrast);
  }
});
