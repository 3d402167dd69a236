import { CodeSample } from "./code-sample.tsx";
import { DefinitionList } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

/** What apps use that sign users in; not shown where the operator turned it off. */
export function Apps({ facts: { baseUrl, clientKey } }: { facts: DocsFacts }) {
  if (clientKey === undefined) return undefined;
  const code = [
    `import { createClient } from "@supabase/supabase-js";`,
    "",
    `const options = { auth: { flowType: "pkce" } };`,
    `const client = createClient("${baseUrl}", "${clientKey}", options);`,
    "await client.auth.signInWithPassword({ email, password });",
    `const { data } = await client.from("business_cards").select("*").eq("user_id", userId);`,
  ].join("\n");
  return (
    <>
      <h2 id="apps">Apps that sign users in</h2>
      <p>
        An app for phones or browsers lets its users sign in to their own account with the public client library{" "}
        <code>@supabase/supabase-js</code> or its relatives for Swift, Kotlin, Dart and Python. The public key names
        this site and allows nothing by itself:
      </p>
      <CodeSample what="Opening the client" note="JavaScript" code={code} />
      <DefinitionList
        rows={[
          [
            "/auth/v1",
            "Sign-up, sign-in, recovery, providers and two-step verification, with the same limits as the pages. Use the PKCE flow: otherwise the link of a sign-up leads to our page, which asks for a password.",
          ],
          [
            "/rest/v1",
            "The tables profiles and business_cards: your own rows, and public ones that you name by id or user_id, profiles also by handle.",
          ],
          [
            "/storage/v1",
            "The buckets avatars, banners, resumes and pass-assets, below the folder with the user’s ID.",
          ],
          ["/realtime/v1", "Changes of your own rows, as they happen."],
          ["/functions/v1", "The server functions below."],
        ]}
      />
    </>
  );
}
