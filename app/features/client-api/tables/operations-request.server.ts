import { feature as cards } from "#app/features/cards/feature.server.ts";
import { feature as profile } from "#app/features/profile/feature.server.ts";
import { feature as wallet } from "#app/features/wallet/feature.server.ts";
import { ApiProblem } from "#app/services/api/problem.ts";
import { checkInput } from "#app/services/api/request.server.ts";

import { toOperationRefusal } from "./data-response.server.ts";
import type { Values, Writer } from "./data-schema.ts";

const operations = new Map(
  [cards, profile, wallet]
    .flatMap(({ resources = [] }) => resources)
    .flatMap((resource) => resource.operations)
    .map((operation) => [operation.id, operation]),
);

type OperationCall = {
  params?: Record<string, string>;
  body?: Values;
  /** The columns of the fields that have another name. */
  columns: Readonly<Record<string, string>>;
  /** Instead of the operation's text where the plan allows no more. */
  limitText?: string | undefined;
};

/** Runs an operation of our REST API, whose checks and limits are those of the forms. Throws its refusal in the form of this API. */
export async function runOperation(
  { services, viewer, origin }: Writer,
  id: "createCard" | "updateCard" | "deleteCard" | "getProfile" | "updateProfile" | "updatePass",
  { params = {}, body, columns, limitText }: OperationCall,
): Promise<unknown> {
  const operation = operations.get(id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  const owner = { id: viewer.id, email: viewer.email, name: viewer.name, keyId: "" };
  try {
    const checked = operation.body && checkInput(operation.body, body);
    const call = { owner, params, query: {}, body: checked, version: undefined, callId: crypto.randomUUID(), origin };
    return (await operation.run(services, call)).body;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    throw toOperationRefusal(error, { columnOf: (field) => columns[field] ?? field, limitText });
  }
}
