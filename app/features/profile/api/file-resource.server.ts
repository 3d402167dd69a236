import { z } from "zod";

import { uploadDeps } from "#app/features/profile/profile-upload.server.ts";
import { listOwnFiles, removeAsset, storedFileUrl } from "#app/features/uploads/data.server.ts";
import type { OwnFile } from "#app/features/uploads/data.server.ts";
import { serverMessages } from "#app/features/uploads/messages.ts";
import { maxUploadBytes, readSlot } from "#app/features/uploads/rules.ts";
import type { Refusal, RefusalStatus } from "#app/features/uploads/rules.ts";
import { acceptUpload } from "#app/features/uploads/upload-handler.server.ts";
import { documentTypes, imageTypes } from "#app/features/uploads/validate-file.ts";
import { ApiProblem, notFound, tooMany } from "#app/services/api/problem.ts";
import type { ProblemCode } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { pageOf, pageQuery, textOutput, timeOutput, toPage, toTime } from "#app/services/api/schemas.ts";
import type { Services } from "#app/services/http/context.ts";

const mediaTypes = `${imageTypes},${documentTypes}`.split(",").filter((type) => type.includes("/"));

const fileOutput = z
  .object({
    id: z.string().describe("What the file is for: `avatar`, `logo:` and a card's id."),
    key: z.string().describe("How links and passes name it."),
    name: textOutput.describe("Of a resume or an image of passes."),
    variants: z
      .array(
        z.object({
          url: z.url().describe("Of a resume: valid for an hour."),
          type: z.string(),
          size: z.int().describe("In bytes."),
        }),
      )
      .describe("An image is stored in the sizes and formats that pages use."),
    createdAt: timeOutput,
    version: z.int(),
  })
  .meta({ id: "File" });

function toOutput(services: Services, file: OwnFile): z.input<typeof fileOutput> {
  return {
    id: file.slot,
    key: file.keyPrefix,
    name: file.filename || null,
    variants: file.files.map((stored) => ({
      url: services.config.baseUrl + storedFileUrl(services, file, stored),
      type: stored.type,
      size: stored.bytes,
    })),
    createdAt: toTime(file.createdAt),
    version: file.version,
  };
}

async function loadFile({ db }: Services, ownerId: string, id: string): Promise<OwnFile> {
  const file = (await listOwnFiles(db, ownerId)).find(({ slot }) => slot === id);
  if (!file) throw notFound("file");
  return file;
}

async function read(services: Services, { owner, params }: Pick<Call<{ id: string }>, "owner" | "params">) {
  const file = await loadFile(services, owner.id, params.id);
  return { body: toOutput(services, file), version: file.version };
}

function toProblem({ status, message, until }: Refusal, { clock }: Services): ApiProblem {
  return until === undefined
    ? new ApiProblem(problemCodes[status], message)
    : tooMany(message, { until, now: clock() });
}

const problemCodes: Record<RefusalStatus, ProblemCode> = {
  400: "invalid_request",
  401: "not_found",
  403: "plan_limit",
  404: "not_found",
  409: "conflict",
  412: "version_conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "invalid_request",
  429: "rate_limited",
  503: "unavailable",
  507: "quota_exceeded",
};

export const fileResource: Resource = {
  name: "files",
  title: "Files",
  description:
    "Images and your resume. The id of a file says what it is for: avatar, banner, resume, logo:{id of a card}, picture:{an id of " +
    "yours} for links, pass-background:{…} and pass-logo:{…} for wallet passes. An id has letters, digits, _ and -.",
  operations: [
    operation({
      id: "listFiles",
      method: "GET",
      path: "/files",
      summary: "List your files",
      scope: "files:read",
      query: pageQuery,
      response: { status: 200, schema: pageOf(fileOutput, "FilePage") },
      async run(services, { owner, query }) {
        const files = await listOwnFiles(services.db, owner.id);
        return toPage(
          files.map((file) => toOutput(services, file)),
          query,
        );
      },
    }),
    operation({
      id: "getFile",
      method: "GET",
      path: "/files/{id}",
      summary: "Get the addresses of a file",
      scope: "files:read",
      isVersioned: true,
      response: { status: 200, schema: fileOutput },
      run: read,
    }),
    operation({
      id: "putFile",
      method: "PUT",
      path: "/files/{id}",
      summary: "Upload or replace a file",
      description:
        "The body is the file: a JPEG, PNG or WebP image, or for the resume a PDF or Word document, under 5 MB. Its bytes decide what it is. " +
        "Images are converted, and cropped from the middle where the page has fixed proportions. An image of links is deleted an hour after " +
        "its upload if no link names its `key`. Your own images on passes are part of Premium.",
      scope: "files:write",
      isVersioned: true,
      problems: ["plan_limit", "conflict", "version_conflict", "quota_exceeded"],
      query: z.strictObject({
        name: z
          .string()
          .max(1_000)
          .optional()
          .describe("The file name of a resume, or the name of an image of passes."),
      }),
      file: { mediaTypes, maxBytes: maxUploadBytes },
      response: { status: 200, schema: fileOutput },
      async run(services, { owner, params, query, version, body: receive }) {
        const slot = readSlot(params.id);
        if (!slot) throw new ApiProblem("not_found", serverMessages.unknownSlot);
        const result = await acceptUpload(services, uploadDeps, {
          owner,
          slot,
          filename: query.name,
          version,
          receive,
        });
        if (result.kind === "refused") throw toProblem(result, services);
        return read(services, { owner, params });
      },
    }),
    operation({
      id: "deleteFile",
      method: "DELETE",
      path: "/files/{id}",
      summary: "Remove a file",
      scope: "files:write",
      problems: ["version_conflict"],
      response: { status: 204 },
      async run(services, { owner, params, version }) {
        const { slot } = await loadFile(services, owner.id, params.id);
        const result = await removeAsset(services, { ownerId: owner.id, slot, version });
        if (result.kind === "refused") throw toProblem(result, services);
        return {};
      },
    }),
  ],
};
