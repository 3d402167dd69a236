import { afterEach } from "vitest";

import { runCleanups } from "./cleanup.ts";
import { refuseScans } from "./database/query-plans.ts";

// A setup file runs again for every test file. Modules are loaded once per worker, so hooks at their top level would not.
afterEach(runCleanups);
afterEach(refuseScans);
