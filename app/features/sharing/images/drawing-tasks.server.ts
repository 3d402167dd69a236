import type { QrPngOptions } from "#app/features/drawing/qr-images.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { BackgroundOptions, Ground } from "./background-image.server.ts";
import type { CardPreviewData, ProfilePreviewData, ProfilePreviewPhotos } from "./preview-image.server.ts";
import type { PrintedBack, PrintedFront } from "./print-card.server.ts";
import type { PrintSheetOptions } from "./print-rules.ts";

/** The input is everything that the image shows, photos included. The output is a PNG or a PDF file. */
type DrawingTask<Input> = WorkerTask<Input, Uint8Array>;

export const printSheetTask: DrawingTask<{ front: PrintedFront; back: PrintedBack; sheet: PrintSheetOptions }> = {
  name: "print sheet",
  run: async ({ sheet, ...card }) => (await import("./print-sheet.server.ts")).printSheet(card, sheet),
};

export const backgroundTask: DrawingTask<{ background: BackgroundOptions; ground: Ground }> = {
  name: "background image",
  run: async ({ background, ground }) =>
    (await import("./background-image.server.ts")).backgroundImage(background, ground),
};

export const cardPreviewTask: DrawingTask<CardPreviewData> = {
  name: "card preview",
  run: async (card) => (await import("./preview-image.server.ts")).cardPreview(card),
};

export const profilePreviewTask: DrawingTask<ProfilePreviewData & ProfilePreviewPhotos> = {
  name: "profile preview",
  run: async (profile) => (await import("./preview-image.server.ts")).profilePreview(profile),
};

export const sitePreviewTask: DrawingTask<string> = {
  name: "site preview",
  run: async (address) => (await import("./site-preview.server.ts")).sitePreview(address),
};

export const logoQrTask: DrawingTask<QrPngOptions> = {
  name: "QR code with a logo",
  run: async (code) => (await import("#app/features/drawing/qr-images.server.ts")).logoQrPng(code),
};

export const signatureTask: DrawingTask<string> = {
  name: "signature image",
  run: async (text) => (await import("#app/features/drawing/qr-images.server.ts")).signatureImage(text),
};

export const drawingTasks = [
  printSheetTask,
  backgroundTask,
  cardPreviewTask,
  profilePreviewTask,
  sitePreviewTask,
  logoQrTask,
  signatureTask,
];
