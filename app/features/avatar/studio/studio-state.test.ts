import { expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";

import { startOptions } from "./studio-state.ts";

test("the first avatar of any name smiles and has a background", () => {
  for (let number = 0; number < 200; number++) {
    const { extra } = drawAvatar(startOptions(`Ada ${number}`));
    expect(["smile", "bigSmile", "smirk"]).toContain(extra["mouth"]);
    expect(extra["primaryBackgroundColor"]).toMatch(/^#/);
  }
});
