import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";

import { features } from "#server/features.ts";

import { callApi, createApiApp } from "./api-app.ts";

describe("the OpenAPI document", () => {
  test("is valid, public, cached, and lists every operation with its scope", async () => {
    const product = await createApiApp();
    const { status, headers, body, text } = await callApi(product, "GET //openapi.json");
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const again = await callApi(product, "GET //openapi.json", {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await callApi(product, "GET /openapi.json")).text).toBe(text);

    expect(await new Validator().validate(body)).toEqual({ valid: true });
    const described = Object.entries<Record<string, { operationId: string; "x-scope": string }>>(body.paths).flatMap(
      ([path, ofPath]) =>
        Object.entries(ofPath).map(
          ([method, one]) => `${one.operationId} ${method.toUpperCase()} ${path} ${one["x-scope"]}`,
        ),
    );
    const declared = features
      .flatMap(({ resources = [] }) => resources)
      .flatMap(({ operations }) => operations.map(({ id, method, path, scope }) => `${id} ${method} ${path} ${scope}`));
    expect(described.toSorted()).toEqual(declared.toSorted());
  });

  test("describes parameters, headers, components and problems", async () => {
    const apiDocument = (await createApiApp()).services.apiDocument();
    const { get, patch } = apiDocument.paths["/cards/{id}"] ?? {};
    expect(patch?.parameters).toEqual([
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { $ref: "#/components/parameters/If-Match" },
    ]);
    expect(Object.keys(patch?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "400", "403", "412", "default"]),
    );
    expect(patch?.responses["412"]?.description).toContain("version_conflict");
    expect(get?.responses["200"]).toMatchObject({
      headers: { ETag: {}, RateLimit: {} },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Card" } } },
    });
    const csv = apiDocument.paths["/leads.csv"]?.["get"]?.responses["200"];
    expect(csv?.content).toEqual({ "text/csv": { schema: { type: "string" } } });
    const { get: list, post } = apiDocument.paths["/cards"] ?? {};
    expect(list?.parameters).toContainEqual(
      expect.objectContaining({
        name: "limit",
        in: "query",
        required: false,
        schema: expect.objectContaining({ maximum: 100, default: 50 }),
      }),
    );
    expect(post?.responses["201"]?.headers).toHaveProperty("Location");
    expect(post?.requestBody?.content["application/json"]?.schema).toMatchObject({
      properties: { cardName: { maxLength: 100 } },
      additionalProperties: false,
    });
  });
});
