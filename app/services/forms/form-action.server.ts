import { data } from "react-router";
import type { RouterContextProvider, UNSAFE_DataWithResponseInit } from "react-router";
import type { z } from "zod";

import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { readForm, textFields } from "#app/services/http/form-body.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import type { WriteFailure } from "#app/services/http/save-response.server.ts";

/** What the router gives an action. */
export type ActionArgs<Params = unknown> = {
  params: Params;
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
};

/** A form that was sent to an action. */
export type SentForm<Params = unknown> = ActionArgs<Params> & {
  all: Services;
  /** The signed-in user's id. Throws a 401 for visitors. */
  readonly ownerId: string;
  form: FormFields;
  /** Its texts, the first of several with one name. */
  fields: Record<string, string>;
  /** The text of a field; "" without one. */
  text: (name: string) => string;
  /** For the security log. */
  origin: { headers: Headers; address: string };
};

/** A form that is shown again: what was typed, what is wrong with its fields, and what else is. */
export type RefusedForm<Values, Problem, Errors = FieldErrors> = {
  values: Values;
  errors: Partial<Errors>;
  problem: Problem | undefined;
};

/** A message for each field that has an error. */
export type FieldErrors = Partial<Record<string, string>>;

type Checkable = object & { errors?: never };

type FormHandler<Params, Values, Checked extends Checkable, Done, Errors, Wait, Failure> = {
  /** What was typed, as a refused form shows it again. */
  read: (form: FormFields) => Values;
  /** What `run` gets, or the errors to show beside the fields. */
  check: (values: Values, sent: SentForm<Params>) => Checked | { errors: Errors };
  /** A sensitive form: where it is and its valid fields, to fill it in again once the owner has proved who they are. */
  prove?: (checked: Checked, values: Values) => Parameters<typeof requireFreshForm>[1] | undefined;
  /** How often an owner may send it, and what it says then. */
  limit?: { of: RateLimit; problem: (wait: string) => Wait };
  /** Carries the form out. Returns a redirect, a refusal, or what the page shows. */
  run: (checked: Checked, sent: SentForm<Params> & { values: Values; refuse: Refuse<Values, Errors> }) => Promise<Done>;
  /** What the form says when `run` fails. Without it, the error page is shown. */
  failure?: WriteFailure<Failure>;
};

type Refuse<Values, Errors> = <Problem = undefined>(
  refusal: { errors?: Partial<Errors>; problem?: Problem; values?: Values },
  status?: number,
) => UNSAFE_DataWithResponseInit<RefusedForm<Values, Problem, Errors>>;

/**
 * Handles a form: reads and checks it, and runs it. It is shown again with everything that was typed when it is refused: 400 for errors in
 * its fields, 429 for a limit that was reached, 503 or 500 for a failure, or the status that `run` chose.
 */
export async function formAction<
  Params,
  Values,
  Checked extends Checkable,
  Done,
  Errors = FieldErrors,
  Wait = undefined,
  Failure = undefined,
>(
  args: ActionArgs<Params> | SentForm<Params>,
  { read, check, prove, limit, run, failure }: FormHandler<Params, Values, Checked, Done, Errors, Wait, Failure>,
) {
  const sent = "form" in args ? args : await readSentForm(args);
  const typed = read(sent.form);
  const refuse: Refuse<Values, Errors> = ({ errors = {}, problem, values = typed }, status = 400) =>
    data({ values, errors, problem }, { status });
  const checked = check(typed, sent);
  if ("errors" in checked) return refuse({ errors: checked.errors });
  const proof = prove?.(checked, typed);
  if (proof) requireFreshForm(sent.context, proof);
  const carryOut = async () => {
    const wait = limit && (await limitForm(sent, limit.of));
    if (wait) return refuse({ problem: limit.problem(wait) }, 429);
    return run(checked, Object.assign(sent, { values: typed, refuse }));
  };
  return failure
    ? tryWrite(sent.all.log, carryOut, { ...failure, refuse: (problem, status) => refuse({ problem }, status) })
    : carryOut();
}

/**
 * Runs the handler of the button that was pressed, by its `intent`. 400 for one that no page of ours has. `before` may refuse every form of
 * the page.
 */
export async function intentAction<Params, Results, Refusal = never>(
  args: ActionArgs<Params>,
  handlers: { [Intent in keyof Results]: (sent: SentForm<Params>) => Promise<Results[Intent]> },
  before?: (sent: SentForm<Params>) => Promise<Refusal>,
): Promise<Results[keyof Results] | NonNullable<Refusal>> {
  const sent = await readSentForm(args);
  const intent = sent.text("intent");
  if (!hasKey(handlers, intent)) throw data(null, { status: 400 });
  return (await before?.(sent)) ?? handlers[intent](sent);
}

function hasKey<T extends object>(record: T, key: string): key is keyof T & string {
  return Object.hasOwn(record, key);
}

/** For a page whose forms have neither fields to check nor an `intent` each. */
export async function readSentForm<Params>(args: ActionArgs<Params>): Promise<SentForm<Params>> {
  const { request, context } = args;
  const form = await readForm(request);
  return {
    ...args,
    all: services(context),
    get ownerId() {
      return requireUser(context).id;
    },
    form,
    fields: textFields(form),
    text: (name) => fieldText(form, name),
    origin: { headers: request.headers, address: context.get(requestContext).address },
  };
}

/** What a schema reads from a form, or the first error of each field. */
export function checkSchema<Output>(schema: z.ZodType<Output>, values: unknown): Output | { errors: FieldErrors } {
  const { success, data: output, error } = schema.safeParse(values);
  if (success) return output;
  return { errors: Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path[0], message])) };
}

/** Counts a form of the owner. When there were too many, returns how long to wait: "in 5 minutes". */
export async function limitForm({ all, ownerId }: Pick<SentForm, "all" | "ownerId">, limit: RateLimit) {
  const limited = await all.rateLimits.consume([{ limit, subject: ownerId }]);
  return limited && formatWait(limited.until, all.clock());
}
