import { createContext, data, redirect } from "react-router";

import { requestContext, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/demo-pass-page.ts";
import { respondWithDemoPass } from "./demo-pass-response.server.ts";
import type { DemoPassRefusal } from "./demo-pass-response.server.ts";
import { messages } from "./rules.ts";

const refusalContext = createContext<DemoPassRefusal | null>(null);

/** Responds with the pass itself. Only a form that makes none gets this page. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    if (request.method !== "POST") return next();
    const { address } = context.get(requestContext);
    const result = await respondWithDemoPass(services(context), { address, form: await readForm(request) });
    if (result instanceof Response) return result;
    context.set(refusalContext, result);
    return next();
  },
];

export function action({ context }: Route.ActionArgs) {
  const refusal = context.get(refusalContext);
  if (!refusal) throw data(null, { status: 400 });
  const headers = { "cache-control": "no-store", ...(refusal.status !== 422 && { "retry-after": "60" }) };
  return data(refusal, { status: refusal.status, headers });
}

/** A reload leads back to the demo. */
export function loader({ context }: Route.LoaderArgs) {
  if (services(context).applePasses.state !== "ready") throw data(null, { status: 404 });
  if (!context.get(refusalContext)) throw redirect("/#live-demo");
  return null;
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: `Error: ${messages.title} | Meishi` }, { name: "robots", content: "noindex" }];
}

export default function DemoPassPage({ actionData }: Route.ComponentProps) {
  if (!actionData) return null;
  return (
    <div className="mx-auto grid w-full max-w-120 gap-6 px-5 pt-10 sm:pt-16">
      <h1 className="heading text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">{messages.title}</h1>
      <DemoPassForm {...actionData} />
    </div>
  );
}

/** What was typed into the demo, with its errors. The accent and the mode were chosen there and are sent along. */
function DemoPassForm({ typed, errors, notice }: DemoPassRefusal) {
  const firstInvalid = fields.find(({ name }) => errors[name] !== undefined);
  return (
    <form
      method="post"
      action="/demo-pass"
      noValidate
      autoComplete="off"
      className="grid gap-5 rounded-card border border-line bg-raised p-5 shadow-card sm:p-8"
    >
      <Notice tone="error" title={notice} />
      {fields.map(({ name, label, required }) => (
        <Field
          key={name}
          name={name}
          label={label}
          dir="auto"
          defaultValue={typed[name]}
          required={required}
          autoFocus={name === firstInvalid?.name}
          {...(errors[name] !== undefined && { error: errors[name] })}
        />
      ))}
      <input type="hidden" name="accent" value={typed.accent} />
      <input type="hidden" name="mode" value={typed.mode} />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="main">
          Add to Apple Wallet
        </Button>
        <ButtonLink href="/#live-demo" variant="plain">
          Back to the demo
        </ButtonLink>
      </div>
    </form>
  );
}

const fields = [
  { name: "name", label: "Name", required: true },
  { name: "title", label: "Title", required: false },
  { name: "company", label: "Company", required: false },
  { name: "payload", label: "QR Payload", required: false },
] as const;
