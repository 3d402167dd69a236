import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";

import { createVisitor } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { insertAccount } from "#tests/support/program/database.ts";
import { pdf, photo } from "#tests/support/app/uploads.ts";

import { samplePhoto } from "../avatar.ts";
import type { Program } from "../program.ts";

/** A signed-in owner with a card, an avatar and a logo. */
export type Owner = { person: Visitor; url: string; id: string; cardId: string };

export type Kind = {
  what: string;
  send: (owner: Owner, round: number) => Promise<Response>;
  /** A save that makes the next response differ. */
  change?: (owner: Owner, round: number) => Promise<unknown>;
};

export async function createOwner(program: Program): Promise<Owner> {
  const { name, value } = await insertAccount(program, "bench@example.com");
  const person = visitorWith(program, [[name, value]]);
  const id = await userIdOf(person);
  const cardId = await makeCard(person);
  const owner = { person, url: program.url, id, cardId };
  await upload(owner, "avatar", await photo(900, 900).jpeg().toBuffer());
  await upload(owner, `logo:${cardId}`, await photo(900, 300).png().toBuffer());
  return owner;
}

/** The same owner at another start of the program. */
export function ownerAt(program: Program, { person, ...ids }: Owner): Owner {
  return { ...ids, url: program.url, person: visitorWith(program, [...person.cookies]) };
}

export function visitorWith({ url }: Pick<Program, "url">, cookies: [string, string][]): Visitor {
  const person = createVisitor({ request: (address, init) => fetch(address, init) }, url);
  for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
}

/** Everything that draws, encodes or parses for longer than a page. */
export async function listKinds(): Promise<Kind[]> {
  const large = await samplePhoto();
  const resume = sampleResume();
  const contacts = sampleContacts();
  const color = (round: number) => `color=${(0x101010 + round).toString(16)}`;
  const get = (what: string, path: (owner: Owner, round: number) => string): Kind => ({
    what,
    send: (owner, round) => owner.person.get(path(owner, round)),
    change: saveProfile,
  });
  return [
    get("print sheet of a card", ({ cardId }, round) => `/share/card/${cardId}/print.pdf?${color(round)}`),
    get("print sheet of a profile", (_, round) => `/share/profile/print.pdf?${color(round)}`),
    get("video call background", ({ cardId }, round) => `/share/card/${cardId}/background.png?tone=${tone(round)}`),
    get("preview image of a card", ({ cardId }) => `/card/${cardId}/preview.png`),
    get("preview image of a profile", ({ id }) => `/u/${id}/preview.png`),
    get("QR code, PNG", ({ cardId }, round) => `/card/${cardId}/qr.png?size=2048&${color(round)}`),
    get(
      "QR code with avatar, PNG",
      ({ cardId }, round) => `/card/${cardId}/qr.png?logo=avatar&size=2048&${color(round)}`,
    ),
    get("signature QR code", ({ cardId }) => `/card/${cardId}/signature.png`),
    get("offline contact code", ({ cardId }) => `/share/card/${cardId}/contact-code.png`),
    {
      what: "upload: 12-megapixel avatar, cropped",
      send: (owner) => upload(owner, "avatar?x=0.2&y=0.1&size=0.6", large),
    },
    { what: "upload: 12-megapixel banner", send: (owner) => upload(owner, "banner", large) },
    { what: "upload: 12-megapixel logo", send: (owner) => upload(owner, `logo:${owner.cardId}`, large) },
    { what: "upload: 4 MB resume, PDF", send: (owner) => upload(owner, "resume?name=cv.pdf", resume) },
    { what: "contact import, 1 MB", send: (owner) => post(owner, "/cards/import", contacts) },
  ];
}

/** Another name of about the same length. Drops the owner's images from memory. */
export function saveProfile({ person }: Pick<Owner, "person">, round: number) {
  return person.post("/profile", profileForm({ displayName: `Ada Lovelace ${round}`, version: String(round) }));
}

const tone = (round: number) => (round % 2 === 0 ? "dark" : "light");

/** `slot` may be followed by a query: "avatar?x=0&y=0&size=1". */
export function upload(owner: Owner, slot: string, bytes: Buffer) {
  return post(owner, `/uploads/${slot}`, bytes);
}

async function post({ person, url }: Owner, path: string, bytes: Buffer): Promise<Response> {
  return person.request(path, {
    method: "POST",
    body: new Uint8Array(bytes),
    headers: { origin: url, "content-type": "application/octet-stream" },
  });
}

/** A PDF of 4 MB with a scanned page and 200 compressed streams. */
function sampleResume(): Buffer {
  const stream = (filter: string, bytes: Buffer) =>
    Buffer.concat([Buffer.from(`<</Length ${bytes.length}${filter}>>\nstream\n`), bytes, Buffer.from("\nendstream")]);
  const text = deflateSync(Buffer.from("BT /F1 12 Tf 72 720 Td (Analytical Engines) Tj ET\n".repeat(2_000)));
  const pages = Array.from({ length: 200 }, () => stream("/Filter/FlateDecode", text));
  return pdf("", [...pages, stream("/Filter/DCTDecode", randomBytes(3_800_000))]);
}

/** 20 contacts with all fields a card has, and photos that it hasn't. */
function sampleContacts(): Buffer {
  const photoLine = `PHOTO;ENCODING=b;TYPE=JPEG:${"QUJD".repeat(12_000)}`.replace(/.{74}/g, "$&\r\n ");
  const contact = (n: number) =>
    [
      "BEGIN:VCARD",
      "VERSION:3.0",
      `N:Lovelace;Ada${n};;;`,
      `FN:Ada${n} Lovelace`,
      "ORG:Analytical Engines",
      "TITLE:Head",
      `EMAIL;TYPE=WORK:ada${n}@example.com`,
      "TEL;TYPE=CELL:+44 20 7946 0000",
      "URL:https://example.com",
      photoLine,
      "END:VCARD",
    ].join("\r\n");
  return Buffer.from(Array.from({ length: 19 }, (_, n) => contact(n)).join("\r\n"));
}
