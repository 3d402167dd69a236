import { describe, expect, test } from "vitest";

import { refusePicture, refuseResume } from "./choosing.ts";

const megabyte = 1024 * 1024;
const file = (name: string, type: string, size = 1000) => ({ name, type, size });

describe("a file that was chosen", () => {
  test.each([
    ["photo.jpg", "image/jpeg"],
    ["drawing.png", "image/png"],
    ["photo", "image/webp"],
    ["PHOTO.JPEG", ""],
  ])("may be a picture: %s (%s)", (name, type) => {
    expect(refusePicture(file(name, type))).toBeUndefined();
  });

  test.each([
    ["film.gif", "image/gif"],
    ["drawing.svg", "image/svg+xml"],
    ["page.html", ""],
    ["photo.jpg", "text/html"],
  ])("is told to be no picture of ours: %s (%s)", (name, type) => {
    expect(refusePicture(file(name, type))).toBe("Please upload a JPEG, PNG, or WebP image");
  });

  test.each(["cv.pdf", "cv.doc", "Ada's CV.DOCX"])("may be a resume: %s", (name) => {
    expect(refuseResume(file(name, "application/octet-stream"))).toBeUndefined();
  });

  test.each(["cv.txt", "cv.pdf.exe", "cv", "photo.jpg"])("is told to be no document: %s", (name) => {
    expect(refuseResume(file(name, "application/pdf"))).toBe("Please upload a PDF or Word document");
  });

  test("is told to be too large from one byte over 5 MB on, and to be empty", () => {
    expect(refusePicture(file("a.png", "image/png", 5 * megabyte))).toBeUndefined();
    expect(refusePicture(file("a.png", "image/png", 5 * megabyte + 1))).toBe("Image size must be less than 5MB");
    expect(refuseResume(file("a.pdf", "", 5 * megabyte + 1))).toBe("File size must be less than 5MB");
    expect(refuseResume(file("a.pdf", "", 0))).toBe("This file is empty. Choose another one.");
  });
});
