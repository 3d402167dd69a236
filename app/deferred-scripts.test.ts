import { expect, test } from "vitest";

import { deferScripts } from "./deferred-scripts.ts";

const nonce = "n0nce";

test("defers our scripts and returns their texts for the policy", () => {
  const { html, scripts } = deferScripts(
    `<html><head><link rel="modulepreload" href="/a.js" nonce="${nonce}"/></head><body><p>Hello</p>` +
      `<script nonce="${nonce}">one()</script><script nonce="${nonce}" type="module" async="">import "/a.js"</script></body></html>`,
    nonce,
  );
  expect(html).toContain('<p>Hello</p><script type="text/plain" data-later="">one()</script>');
  expect(html).toContain('<script type="text/plain" data-later="module">import "/a.js"</script>');
  expect(html).not.toContain(nonce);
  expect(html).not.toContain("modulepreload");
  expect(scripts.slice(1)).toEqual(["one()", 'import "/a.js"']);
  expect(html).toContain(`<script>${scripts[0]}</script></body>`);
});

test("leaves foreign scripts out, so that the policy blocks them", () => {
  const foreign = '<script>steal()</script><script nonce="">steal()</script>';
  const { html, scripts } = deferScripts(`<body>${foreign}</body>`, nonce);
  expect(html).toContain(foreign);
  expect(scripts).toHaveLength(1);
});

test("keeps dollar signs in a script", () => {
  const { html } = deferScripts(`<body><script nonce="${nonce}">"$& $1 $$"</script></body>`, nonce);
  expect(html).toContain('"$& $1 $$"');
});
