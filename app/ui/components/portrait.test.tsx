import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { Portrait } from "./portrait.tsx";

const picture = { small: "/s.webp", large: "/l.webp", jpeg: "/j.jpg" };
const show = (props: Partial<React.ComponentProps<typeof Portrait>> = {}) =>
  renderToStaticMarkup(<Portrait name="Ada Lovelace" image={picture} width={64} {...props} />);

describe("a portrait", () => {
  test("shows the initials without an image", () => {
    expect(show({ image: undefined })).toBe('<span class="avatar" aria-hidden="true">AL</span>');
  });

  test("has WebP in two sizes, and JPEG for other browsers", () => {
    const html = show();
    expect(html).toContain('<source type="image/webp" srcSet="/s.webp 192w, /l.webp 384w" sizes="64px"/>');
    expect(html).toContain('<img src="/j.jpg" width="64" height="64" alt="" decoding="async"/>');
  });

  test("keeps the initials behind the image, so that they show when it can't be loaded", () => {
    expect(show()).toMatch(/^<span class="avatar" aria-hidden="true">AL<picture>/);
    expect(show()).not.toMatch(/onerror|style=/i);
  });
});
