import { z } from "zod";

import { findExport, startExport } from "#app/features/account/settings/export/data.server.ts";
import { tooManyExportsMessage } from "#app/features/account/settings/export/messages.ts";
import { exportPath, formatLongWait, validHours } from "#app/features/account/settings/export/rules.ts";
import { ApiProblem, notFound, tooMany } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Resource } from "#app/services/api/resource.ts";
import { timeOutput, toTime } from "#app/services/api/schemas.ts";
import type { Services } from "#app/services/http/context.ts";

const exportOutput = z
  .object({
    id: z.string(),
    state: z.enum(["running", "ready", "failed"]),
    filesDone: z.int(),
    filesTotal: z.int().describe("0 until they are counted."),
    bytes: z.int().nullable().describe("Of the archive, once it is ready."),
    requestedAt: timeOutput,
    expiresAt: timeOutput.nullable().describe("Until when the archive can be downloaded."),
  })
  .meta({ id: "Export" });

type Own = { ownerId: string; id: string };

async function find({ db, clock }: Services, { ownerId, id }: Own) {
  const row = await findExport(db, ownerId);
  if (row?.id !== id || row.expires_at <= clock()) throw notFound("export");
  return row;
}

async function read(services: Services, own: Own): Promise<{ body: z.input<typeof exportOutput> }> {
  const row = await find(services, own);
  const isReady = row.state === "ready";
  return {
    body: {
      id: row.id,
      state: row.state,
      filesDone: row.files_done,
      filesTotal: row.files_total,
      bytes: isReady ? row.bytes : null,
      requestedAt: toTime(row.requested_at),
      expiresAt: isReady ? toTime(row.expires_at) : null,
    },
  };
}

export const exportResource: Resource = {
  name: "exports",
  title: "Exports",
  description: "An archive of everything that belongs to your account, as on the page Export your data.",
  operations: [
    operation({
      id: "createExport",
      method: "POST",
      path: "/account/exports",
      summary: "Start an export of all your data",
      description: `Three times a day, one at a time: while one is running, that one is returned. It replaces the one before. You get an email when the archive is ready, and have ${validHours} hours to download it.`,
      scope: "exports:read",
      response: { status: 202, schema: exportOutput },
      async run(services, { owner, origin }) {
        const result = await startExport(services, { ownerId: owner.id, origin });
        if (result.kind === "gone") throw notFound("account");
        if (result.kind === "started") return read(services, { ownerId: owner.id, id: result.id });
        const now = services.clock();
        const { title, text } = tooManyExportsMessage(formatLongWait(result.until, now));
        throw tooMany(`${title}. ${text}`, { until: result.until, now });
      },
    }),
    operation({
      id: "getExport",
      method: "GET",
      path: "/account/exports/{id}",
      summary: "Get the state of an export",
      scope: "exports:read",
      response: { status: 200, schema: exportOutput },
      run: (services, { owner, params }) => read(services, { ownerId: owner.id, id: params.id }),
    }),
    operation({
      id: "downloadExport",
      method: "GET",
      path: "/account/exports/{id}/archive",
      summary: "Download the archive of an export",
      scope: "exports:read",
      problems: ["conflict"],
      response: { status: 200, mediaType: "application/zip" },
      async run(services, { owner, params }) {
        const row = await find(services, { ownerId: owner.id, id: params.id });
        if (row.state !== "ready")
          throw new ApiProblem("conflict", `The archive isn’t ready. Its state is ${row.state}.`);
        const file = await services.files.open(exportPath(owner.id, row.id));
        if (!file) throw notFound("export");
        return { body: file.body };
      },
    }),
  ],
};
