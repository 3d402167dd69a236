import { expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";

import { createApiApp } from "./api-app.ts";

test("statistics are those of the site's own export, on Premium", async () => {
  const { call, ada, visitor, services, ownerId } = await createApiApp();
  const free = await call("GET /statistics");
  expect([free.status, free.body.code]).toEqual([403, "plan_limit"]);
  await makePremium(services, ownerId);
  const { body: card } = await call("POST /cards", { body: {} });
  await visitor().get(new URL(card.url).pathname);
  await services.counter.flush();
  const { body } = await call(`GET /statistics?range=7&card=${card.id}`);
  const exported = await ada.get(`/analytics/export?format=json&range=7&card=${card.id}`);
  expect(body).toEqual({ ...(await exported.json()), filters: body.filters });
  expect(body.filters).toMatchObject([{ by: "page", value: `card:${card.id}` }]);
  expect(body.rows.filter(({ by }: { by: string }) => by === "day")).toHaveLength(7);
  const wrong = await call("GET /statistics?range=own&from=2026-01-02&to=2026-01-01");
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, "?from"]);
  expect((await call("GET /statistics?range=5")).status).toBe(400);
});
