import { expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";
import { jpeg } from "#tests/support/app/uploads.ts";

import { createMeishi, readPages } from "../../../sdk/client.ts";
import { createApiApp } from "./api-app.ts";

type Card = { id: string; cardName: string; version: number };
type Headers = { "If-Match"?: string; "Idempotency-Key"?: string };
type Json<Body> = { content: { "application/json": Body } };
type Problem = { default: { content: { "application/problem+json": { code: string } } } };

/** A part of what openapi-typescript makes of /openapi.json. */
type Paths = {
  "/cards": {
    get: {
      parameters: { query?: { limit?: number; cursor?: string | undefined } };
      responses: { 200: Json<{ data: Card[]; nextCursor: string | null }> } & Problem;
    };
    post: {
      parameters: { header?: Headers };
      requestBody: Json<{ cardName?: string }>;
      responses: { 201: Json<Card> } & Problem;
    };
  };
  "/cards/{id}": {
    patch: {
      parameters: { path: { id: string }; header?: Headers };
      requestBody: Json<{ company?: string }>;
      responses: { 200: Json<Card> } & Problem;
    };
  };
  "/files/{id}": {
    put: {
      parameters: { path: { id: string } };
      requestBody: { content: { "image/jpeg": unknown; "image/png": unknown } };
      responses: { 200: Json<{ id: string; variants: { type: string }[] }> } & Problem;
    };
  };
};

test("the client creates, reads in pages, and doesn't overwrite another version", async () => {
  const { app, services, key, ownerId } = await createApiApp();
  await makePremium(services, ownerId);
  const meishi = createMeishi<Paths>({
    baseUrl: "http://localhost:3000",
    key,
    fetch: async (request) => app.request(request),
  });
  const names = ["One", "Two", "Three"];
  for (const cardName of names) await meishi.POST("/cards", { body: { cardName } });
  const read: Card[] = [];
  const page = (cursor: string | undefined) => meishi.GET("/cards", { params: { query: { limit: 2, cursor } } });
  for await (const card of readPages<Card>(page)) read.push(card);
  expect(read.map(({ cardName }) => cardName)).toEqual(names.toReversed());
  const change = {
    params: { path: { id: read[0]?.id ?? "" } },
    body: { company: "Engines" },
    headers: { "If-Match": '"1"' },
  };
  expect((await meishi.PATCH("/cards/{id}", change)).data?.version).toBe(2);
  expect((await meishi.PATCH("/cards/{id}", change)).error?.code).toBe("version_conflict");
});

test("the client uploads a file as it is", async () => {
  const { app, key } = await createApiApp();
  const meishi = createMeishi<Paths>({
    baseUrl: "http://localhost:3000",
    key,
    fetch: async (request) => app.request(request),
  });
  const { data } = await meishi.PUT("/files/{id}", {
    params: { path: { id: "avatar" } },
    body: new Blob([new Uint8Array(await jpeg())]),
    headers: { "Content-Type": "image/jpeg" },
  });
  expect(data?.variants.map(({ type }) => type)).toEqual(["image/webp", "image/webp", "image/jpeg"]);
});

test("the client waits as long as the server requests, and repeats only what may be repeated", async () => {
  let now = Date.now();
  const { app, key } = await createApiApp({ clock: () => now });
  const waits: number[] = [];
  const meishi = createMeishi<Paths>({
    baseUrl: "http://localhost:3000",
    key,
    fetch: async (request) => app.request(request),
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  for (let sent = 0; sent < 600; sent++) await meishi.GET("/cards");
  expect((await meishi.POST("/cards", { body: {} })).response.status).toBe(429);
  expect(waits).toEqual([]);
  const headers = { "Idempotency-Key": "first" };
  expect((await meishi.POST("/cards", { body: {}, headers })).response.status).toBe(201);
  expect(waits).toEqual([60_000]);
});
