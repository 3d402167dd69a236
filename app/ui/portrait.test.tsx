import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { Portrait } from "./portrait.tsx";

const picture = { small: "/s.webp", large: "/l.webp", jpeg: "/j.jpg" };
const show = (props: Partial<React.ComponentProps<typeof Portrait>> = {}) =>
  renderToStaticMarkup(<Portrait name="Ada Lovelace" picture={picture} width={64} {...props} />);

describe("a portrait", () => {
  test("is the initials of the name while there is no picture", () => {
    expect(show({ picture: undefined })).toBe('<span class="avatar" aria-hidden="true">AL</span>');
  });

  test("has WebP in two sizes to choose from by its width, and JPEG for the rest", () => {
    const html = show();
    expect(html).toContain('<source type="image/webp" srcSet="/s.webp 192w, /l.webp 384w" sizes="64px"/>');
    expect(html).toContain('<img src="/j.jpg" width="64" height="64" alt="" decoding="async"/>');
  });

  test("keeps the initials behind the picture, so that a picture that is missing leaves them, without script", () => {
    expect(show()).toMatch(/^<span class="avatar" aria-hidden="true">AL<picture>/);
    expect(show()).not.toMatch(/onerror|style=/i);
  });
});
