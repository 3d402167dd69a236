import { describe, expect, test } from "vitest";

import { readUploadResponse } from "./upload-client.ts";

describe("the response to an upload", () => {
  test("contains the storage key prefix and a message", () => {
    const stored = { keyPrefix: "banners/u/banner_1", message: "Banner uploaded successfully" };
    expect(readUploadResponse(200, JSON.stringify(stored))).toEqual({ kind: "done", filename: "", ...stored });
  });

  test("has the reason of the server when refused", () => {
    const message = "Animated images aren’t supported. Choose a still image.";
    const text = JSON.stringify({ message });
    expect(readUploadResponse(422, text)).toEqual({ kind: "refused", reason: message, isSignedOut: false });
    expect(readUploadResponse(401, text)).toMatchObject({ isSignedOut: true });
  });

  test.each([
    [0, "", "connection was lost"],
    [401, "", "signed out"],
    [413, "<html>413 Request Entity Too Large</html>", "too large for the server"],
    [429, "", "Too many attempts"],
    [503, "{", "can’t accept files right now"],
    [507, "[]", "Not enough space"],
    [500, "", "went wrong on our end"],
    [200, "<html>Sign in to the hotel's network</html>", "went wrong on our end"],
    [200, '{"message":1}', "went wrong on our end"],
  ])("has a reason of its own for status %s from another server: %s", (status, text, reason) => {
    const refused = { kind: "refused", reason: expect.stringContaining(reason) };
    expect(readUploadResponse(status, text)).toMatchObject(refused);
  });
});
