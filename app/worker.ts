import { readContactFileTask } from "#app/features/cards/import/import-tasks.server.ts";
import { readLinkFileTask } from "#app/features/links/import/import-tasks.server.ts";
import { drawingTasks } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { prepareUploadTask } from "#app/features/uploads/formats/prepare-tasks.server.ts";
import { drawBackgroundTask } from "#app/features/wallet/assets/background-tasks.server.ts";
import { applePassTask, passPartTask } from "#app/features/wallet/apple/pass-tasks.server.ts";
import { googleImageTask } from "#app/features/wallet/google/image-tasks.server.ts";
import { checkPasswordTask } from "#app/services/auth/passwords/password-strength.server.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";
import { serveTasks } from "#app/services/workers/worker-task.server.ts";

// The entry file of worker threads. In development and in tests Node runs it from source, so no .tsx file and no feature of Vite is
// available to what it imports.
serveTasks([
  ...drawingTasks,
  rasterizeTask,
  prepareUploadTask,
  drawBackgroundTask,
  readContactFileTask,
  readLinkFileTask,
  checkPasswordTask,
  applePassTask,
  passPartTask,
  googleImageTask,
]);
