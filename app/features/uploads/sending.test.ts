import { describe, expect, test } from "vitest";

import { readAnswer } from "./sending.ts";

describe("the answer to an upload", () => {
  test("says where the file is and what to tell", () => {
    const text = JSON.stringify({ stem: "banners/u/banner_1", message: "Banner uploaded successfully" });
    expect(readAnswer(200, text)).toEqual({
      kind: "done",
      stem: "banners/u/banner_1",
      filename: "",
      message: "Banner uploaded successfully",
    });
  });

  test("is refused in the server's own words", () => {
    const text = JSON.stringify({ message: "This picture moves. Choose one that stands still." });
    expect(readAnswer(422, text)).toEqual({
      kind: "refused",
      reason: "This picture moves. Choose one that stands still.",
      isSignedOut: false,
    });
    expect(readAnswer(401, text)).toMatchObject({ isSignedOut: true });
  });

  test.each([
    [0, "", "connection was lost"],
    [401, "", "signed out"],
    [413, "<html>413 Request Entity Too Large</html>", "larger than the server takes"],
    [429, "", "too often"],
    [503, "{", "can't take a file at the moment"],
    [507, "[]", "no room left"],
    [500, "", "went wrong on the server"],
    [200, "<html>Sign in to the hotel's network</html>", "went wrong on the server"],
    [200, '{"message":1}', "went wrong on the server"],
  ])("has words for %s where it is not ours: %s", (status, text, words) => {
    const answer = readAnswer(status, text);
    expect(answer).toMatchObject({ kind: "refused" });
    expect(answer.kind === "refused" && answer.reason).toContain(words);
  });
});
