import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { hasInvoice, listInvoices, storeInvoices } from "./invoice-data.server.ts";
import type { InvoiceRow } from "./invoice-data.server.ts";

const invoice = (n: number, owner_id = "ada"): InvoiceRow => ({
  id: `in_${owner_id}_${n}`,
  owner_id,
  number: `MEISHI-${n}`,
  status: "open",
  amount_due: 123_456_789_012,
  amount_paid: 0,
  currency: "usd",
  created_at: 1_790_000_000_000 + n,
});

describeOnEachDatabase("stored invoices", (makeDb) => {
  test("are listed by page for their owner, the newest first, as last read", async () => {
    const db = await makeDb();
    const store = (rows: InvoiceRow[]) => transact(db, (trx) => storeInvoices(trx, rows));
    await store(Array.from({ length: 26 }, (_, n) => invoice(n)));
    await store([invoice(99, "bob")]);
    await store([]);
    await store([{ ...invoice(25), status: "paid", amount_paid: 123_456_789_012 }]);
    const first = await listInvoices(db, "ada", 1);
    expect([first.hasOlder, first.invoices.length]).toEqual([true, 24]);
    expect(first.invoices[0]).toEqual({ ...invoice(25), status: "paid", amount_paid: 123_456_789_012 });
    expect(await listInvoices(db, "ada", 2)).toEqual({ hasOlder: false, invoices: [invoice(1), invoice(0)] });
    expect(await hasInvoice(db, { ownerId: "ada", id: "in_ada_3" })).toBe(true);
    expect(await hasInvoice(db, { ownerId: "ada", id: "in_bob_99" })).toBe(false);
  });
});
