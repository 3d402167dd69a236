import { expect, test } from "vitest";

import { whenIdle } from "./idle-scripts.ts";

const nonce = "n0nce";

test("scripts of ours become text that runs later, each named for the policy", () => {
  const { html, scripts } = whenIdle(
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

test("a script that somebody else brought is not named: the policy keeps it from running", () => {
  const foreign = '<script>steal()</script><script nonce="">steal()</script>';
  const { html, scripts } = whenIdle(`<body>${foreign}</body>`, nonce);
  expect(html).toContain(foreign);
  expect(scripts).toHaveLength(1);
});

test("a text with dollar signs stays as it is", () => {
  const { html } = whenIdle(`<body><script nonce="${nonce}">"$& $1 $$"</script></body>`, nonce);
  expect(html).toContain('"$& $1 $$"');
});
