import { expect, test } from "vitest";

import { defaultPassDesign, passImagePaths, readPassImagePath } from "./pass-design.ts";

const read = (path: string | undefined) => path && readPassImagePath(new URL(path, "https://meishi.example"));

test.each([
  ["default:washi", { kind: "default", id: "washi" }],
  ["asset:pass-assets/u1/backgrounds/pass-a_1", { kind: "asset", key: "pass-assets/u1/backgrounds/pass-a_1" }],
] as const)("the paths of %s name it again, with and without a tint", (image, background) => {
  const plain = passImagePaths({ ...defaultPassDesign, background });
  expect(plain.background).toBe(plain.original);
  expect(read(plain.original)).toEqual({ image, tint: "" });
  const tinted = passImagePaths({ ...defaultPassDesign, background, tint: "#3a5f8c" });
  expect(read(tinted.background)).toEqual({ image, tint: "#3a5f8c" });
  expect(tinted.original).toBe(plain.original);
});

test("an uploaded logo has a path, and other paths name no image", () => {
  const key = "pass-assets/u1/logos/pass-b_2";
  const { logo, background } = passImagePaths({ ...defaultPassDesign, logo: { kind: "asset", key } });
  expect(read(logo)).toEqual({ image: `asset:${key}`, tint: "" });
  expect(background).toBeUndefined();
  expect(read("/files/avatars/u1/avatar_1.jpg")).toBeUndefined();
});
