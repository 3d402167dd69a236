import type { Stripe } from "stripe";

import type { StripeInvoiceTable } from "#app/services/database/billing-schema.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";

export type InvoiceRow = StripeInvoiceTable;

/**
 * A customer's newest hundred invoices: eight years of monthly ones. Older ones don't change, and stay stored. Drafts are left out: they
 * have no number and may be deleted. A customer who was deleted at Stripe has none.
 */
export async function readInvoices(
  client: Stripe,
  { customer, ownerId }: { customer: string; ownerId: string },
): Promise<InvoiceRow[]> {
  try {
    const { data } = await client.invoices.list({ customer, limit: 100 });
    return data.filter(({ status }) => status !== "draft").map((invoice) => toRow(invoice, ownerId));
  } catch (error) {
    if (isUnknownAtStripe(error)) return [];
    throw error;
  }
}

function toRow(invoice: Stripe.Invoice, ownerId: string): InvoiceRow {
  const { id, number, status, amount_due, amount_paid, currency, created } = invoice;
  const facts = { number: number ?? id, status: status ?? "open", amount_due, amount_paid, currency };
  return { id, owner_id: ownerId, ...facts, created_at: created * 1000 };
}

/** Part of storing what was read of a customer. */
export async function storeInvoices(trx: Trx, rows: InvoiceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto("stripe_invoice")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        number: row.ref("excluded.number"),
        status: row.ref("excluded.status"),
        amount_due: row.ref("excluded.amount_due"),
        amount_paid: row.ref("excluded.amount_paid"),
      })),
    )
    .execute();
}

export async function hasInvoices(db: Db, ownerId: string): Promise<boolean> {
  const query = db.selectFrom("stripe_invoice").select("id").where("owner_id", "=", ownerId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** As many as a page of the list has. */
const pageSize = 24;

/** A page of an owner's invoices, the newest first. Pages count from 1. */
export async function listInvoices(
  db: Db,
  ownerId: string,
  page: number,
): Promise<{ invoices: InvoiceRow[]; hasOlder: boolean }> {
  const rows = await db
    .selectFrom("stripe_invoice")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
    .execute();
  return { invoices: rows.slice(0, pageSize), hasOlder: rows.length > pageSize };
}

/** Whether the owner has this invoice. */
export async function hasInvoice(db: Db, { ownerId, id }: { ownerId: string; id: string }): Promise<boolean> {
  const row = await db
    .selectFrom("stripe_invoice")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}
