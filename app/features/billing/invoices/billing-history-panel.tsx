import { messages } from "#app/features/billing/messages.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { invoicePath, invoiceStatus } from "./invoice-rules.ts";

/** An invoice as its row shows it. */
export type InvoiceItem = { id: string; number: string; status: string; date: string; amount: string };

/** A page of the list; undefined when it couldn't be read. */
export type InvoicePage = { page: number; invoices: InvoiceItem[]; hasOlder: boolean } | undefined;

type BillingHistoryProps = {
  history: InvoicePage;
  /** Whether Premium can be bought. */
  canPay: boolean;
};

export function BillingHistoryPanel({ history, canPay }: BillingHistoryProps) {
  return (
    <Panel title="Billing history" id="billing-history" className="scroll-mt-20">
      {!history && <LoadFailure />}
      {history && history.invoices.length === 0 && <NoInvoices isFirst={history.page === 1} canPay={canPay} />}
      {history && history.invoices.length > 0 && <InvoiceList {...history} />}
      {history && history.page > 1 && <PageLinks {...history} />}
    </Panel>
  );
}

/** The first page shows the newest ones until all are opened, because other sections of the account follow. */
function InvoiceList(history: NonNullable<InvoicePage>) {
  const rows = history.invoices.map((invoice) => <InvoiceRow key={invoice.id} {...invoice} />);
  const first = history.page === 1 ? rows.splice(0, 3) : rows.splice(0);
  return (
    <>
      <ul className="-my-4 divide-y divide-line">{first}</ul>
      {rows.length > 0 && (
        <details className="mt-4 border-t border-line pt-2">
          <summary className={`${linkClass} cursor-pointer text-sm`}>All invoices</summary>
          <ul className="divide-y divide-line">{rows}</ul>
          {history.hasOlder && <PageLinks {...history} />}
        </details>
      )}
    </>
  );
}

function LoadFailure() {
  return (
    <Notice
      tone="error"
      title={messages.historyFailed}
      action={
        <ButtonLink size="s" href="/account">
          Try again
        </ButtonLink>
      }
    >
      Your subscription hasn’t changed.
    </Notice>
  );
}

function NoInvoices({ isFirst, canPay }: { isFirst: boolean; canPay: boolean }) {
  if (!isFirst) return <p className="font-medium">No older invoices</p>;
  return (
    <>
      <p className="font-medium">No invoices</p>
      <p className="text-sm text-muted">
        {canPay ? "Your invoices will appear here." : "Premium isn’t available yet, so you haven’t been charged."}
      </p>
    </>
  );
}

function InvoiceRow({ id, number, status, date, amount }: InvoiceItem) {
  const { label, tone } = invoiceStatus(status);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-4">
      <p className="font-medium wrap-anywhere">{number}</p>
      <p className="text-end font-medium tabular-nums">{amount}</p>
      <p className="text-sm text-muted">
        <span className={toneClass[tone]}>{label}</span> · {date}
      </p>
      <p className="-my-3 flex justify-end gap-4 text-sm">
        <a className={linkClass} href={invoicePath(id)} target="_blank" rel="noreferrer">
          View<span className="sr-only"> invoice {number} (opens in a new tab)</span>
        </a>
        <a className={linkClass} href={invoicePath(id, "pdf")} target="_blank" rel="noreferrer">
          PDF<span className="sr-only"> of invoice {number} (opens in a new tab)</span>
        </a>
      </p>
    </li>
  );
}

function PageLinks({ page, hasOlder }: { page: number; hasOlder: boolean }) {
  return (
    <nav aria-label="Pages of the billing history" className="mt-8 flex gap-2.5">
      {page > 1 && (
        <ButtonLink size="s" href={pagePath(page - 1)}>
          Newer
        </ButtonLink>
      )}
      {hasOlder && (
        <ButtonLink size="s" href={pagePath(page + 1)}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}

function pagePath(page: number): string {
  return `/account${page > 1 ? `?invoices=${page}` : ""}#billing-history`;
}

const toneClass = { success: "text-success", warning: "text-warning", muted: "" };
const linkClass = "inline-flex min-h-11 items-center underline underline-offset-4";
