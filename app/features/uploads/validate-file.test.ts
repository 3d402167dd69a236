import { describe, expect, test } from "vitest";

import { validateImageFile, validateImageSize, validateResumeFile } from "./validate-file.ts";

const megabyte = 1024 * 1024;
const file = (name: string, type: string, size = 1000) => ({ name, type, size });

describe("a chosen file", () => {
  const notImage = "Please upload a JPEG, PNG, or WebP image";
  test.each([
    ["drawing.png", "image/png", undefined],
    ["photo", "image/webp", undefined],
    ["PHOTO.JPEG", "", undefined],
    ["drawing.svg", "image/svg+xml", notImage],
    ["page.html", "", notImage],
    ["photo.jpg", "text/html", notImage],
  ])("may be an image by its type, or by its name without one: %s (%s)", (name, type, problem) => {
    expect(validateImageFile(file(name, type))).toBe(problem);
  });

  test("may be a resume by its name", () => {
    const problemOf = (name: string) => validateResumeFile(file(name, "application/octet-stream"));
    const accepted = ["cv.pdf", "cv.doc", "Ada's CV.DOCX", "cv.dotx", "cv.dot"];
    expect(accepted.map(problemOf)).toEqual(accepted.map(() => undefined));
    expect(validateResumeFile(file("document:31", "application/pdf"))).toBeUndefined();
    const others = ["cv.xlsx", "cv.pdf.exe", "cv", "photo.jpg"];
    expect(others.map(problemOf)).toEqual(others.map(() => "Please upload a PDF or Word document"));
  });

  test.each([
    ["cv.rtf", "This is an RTF file"],
    ["CV.ODT", "This is an OpenDocument file (ODT)"],
    ["cv.htm", "This is a web page (HTML)"],
    ["cv.mht", "This is a web page (HTML)"],
    ["cv.txt", "Please upload a PDF or Word document. This is a plain text file"],
    ["cv.pages", "This is an Apple Pages document"],
    ["cv.docm", "This document contains macros"],
  ])("that can't be a resume is named as the server names it: %s", (name, message) => {
    expect(validateResumeFile(file(name, ""))).toContain(message);
  });

  test("is too large from exactly 5 MB, and must not be empty", () => {
    expect(validateImageFile(file("a.png", "image/png", 5 * megabyte - 1))).toBeUndefined();
    expect(validateImageFile(file("a.png", "image/png", 5 * megabyte))).toBe("Image size must be less than 5MB");
    expect(validateResumeFile(file("a.pdf", "", 5 * megabyte - 1))).toBeUndefined();
    expect(validateResumeFile(file("a.pdf", "", 5 * megabyte))).toBe("File size must be less than 5MB");
    expect(validateResumeFile(file("a.pdf", "", 0))).toBe("This file is empty. Choose another one.");
  });

  test("has at most 40 million pixels, and 16,384 on a side", () => {
    expect(validateImageSize({ width: 8_000, height: 5_000 })).toBeUndefined();
    expect(validateImageSize({ width: 8_000, height: 5_001 })).toMatch("more than 40 million pixels");
    expect(validateImageSize({ width: 16_384, height: 10 })).toBeUndefined();
    expect(validateImageSize({ width: 10, height: 16_385 })).toMatch("more than 16,384 pixels wide or high");
  });
});
