import { data, redirect } from "react-router";

import { readFields } from "#app/features/account/schema.ts";
import { respondToAuthForm } from "#app/features/account/sign-in/auth-response.server.ts";
import { requestContext, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/sign-in-here-route.ts";
import type { SignInHereResult } from "./sign-in-dialog.tsx";

/** Signs in from a dialog of a page with unsaved changes, by the rules of the sign-in page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { email = "", password = "" } = await readFields(request);
  const fields = { intent: "log-in", email, password };
  const { address, id } = context.get(requestContext);
  const { headers } = request;
  const common = { services: services(context), id, fields, address, headers };
  const response = await respondToAuthForm({ ...common, returnTo: undefined, draft: undefined });
  if (response instanceof Response) return respondToSuccess(response);
  const result = response.data;
  const problem =
    result.kind === "refused"
      ? (result.errors.password ?? result.errors.email ?? joinNotice(result.notice))
      : undefined;
  return data<SignInHereResult>({ kind: "refused", problem: problem ?? "" }, response.init?.status ?? 400);
}

/** The page stays: its own redirect and message are not needed. */
function respondToSuccess(response: Response) {
  const kind = response.headers.get("location")?.startsWith("/auth/") ? "second-factor" : "signed-in";
  const headers = new Headers(
    response.headers.getSetCookie().map((cookie): [string, string] => ["set-cookie", cookie]),
  );
  return data<SignInHereResult>({ kind }, { headers });
}

function joinNotice(notice: { title: string; text?: string } | undefined): string | undefined {
  return notice && [notice.title, notice.text].filter(Boolean).join(". ");
}

/** Only the dialog posts here. */
export function loader() {
  return redirect("/auth");
}
