import type { ReactNode } from "react";

import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { Seal } from "#app/features/shell/brand.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { AuthTab } from "./auth-response.server.ts";
import { messages } from "#app/features/account/messages.ts";
import { authPath } from "#app/services/auth/return-to.ts";

/**
 * A card with a paper header, whose forms and links the form script handles in place. The document title mentions an error, because screen
 * readers announce it first.
 */
export function AuthCard({ title, heading, lead, hasErrors = false, children }: AuthCardProps) {
  return (
    <div data-form-page className="mx-auto w-full max-w-140 px-5 pt-2 pb-6 sm:pt-8">
      <title>{`${hasErrors ? "Error: " : ""}${title} | Meishi`}</title>
      <section className="overflow-hidden rounded-card border border-line bg-raised shadow-card">
        <header className={cardHeaderClass}>
          <h1
            className={`heading self-end outline-none sm:text-xl ${heading.length > 32 ? "text-[1.5rem]/7.5" : "text-xl"}`}
          >
            {heading}
          </h1>
          <Seal size={34} />
          {lead && <div className="col-span-2 mt-2 text-ink-soft">{lead}</div>}
        </header>
        {/* A field that gets the focus is above its error, and above a toast. */}
        <div className="grid gap-6.5 px-5 py-6.5 sm:px-9 sm:py-8 [&_input]:scroll-mb-34">
          <FailureNotices />
          {children}
        </div>
      </section>
    </div>
  );
}

/** The form script shows these when a request returns no page. */
function FailureNotices() {
  return (
    <>
      <template data-failed="network">
        <Notice tone="error" title={messages.offline.title}>
          {messages.offline.text}
        </Notice>
      </template>
      <template data-failed="server">
        <Notice tone="error" title={messages.serverError.title}>
          {messages.serverError.text}
        </Notice>
      </template>
    </>
  );
}

const cardHeaderClass =
  "grid min-h-38 sm:min-h-34 grid-cols-[minmax(0,1fr)_auto] grid-rows-[1fr_auto] gap-x-5 border-b border-paper-line " +
  "bg-linear-to-br from-paper to-paper-edge px-5 py-6 text-ink sm:px-9 sm:py-7";

type AuthCardProps = { title: string; heading: string; lead?: ReactNode; hasErrors?: boolean; children: ReactNode };

export function BackToLogin({ href = "/auth" }: { href?: string }) {
  return (
    <a
      href={href}
      className="-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm text-muted hover:text-text"
    >
      Back to Login
    </a>
  );
}

/** For visitors without an account who opened Login. */
export function CreateAccountLink({ href }: { href: string }) {
  return (
    <p className="justify-self-center text-sm text-muted">
      New here?{" "}
      <a href={href} className="-my-2.5 inline-flex min-h-11 items-center text-text underline underline-offset-4">
        {usePremiumAccess() === "everyone" ? "Create an account" : "Create a free account"}
      </a>
    </p>
  );
}

/** Two URLs of one page: the tabs work without JavaScript and with the Back button. `planQuery` carries the chosen plan along. */
export function AuthTabs({ tab, returnTo, planQuery }: AuthTabsProps) {
  return (
    <nav aria-label="Login or Sign Up" className="grid grid-cols-2 gap-1 rounded-[14px] bg-higher p-1">
      <TabLink href={authPath(returnTo, planQuery)} isCurrent={tab === "login"} label="Login" />
      <TabLink
        href={authPath(returnTo, { tab: "signup", ...planQuery })}
        isCurrent={tab === "signup"}
        label="Sign Up"
      />
    </nav>
  );
}

type AuthTabsProps = { tab: AuthTab; returnTo: string | undefined; planQuery: Record<string, string> };

function TabLink({ href, label, isCurrent }: { href: string; label: string; isCurrent: boolean }) {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined} className={tabClass}>
      {label}
    </a>
  );
}

const tabClass =
  "flex min-h-11 items-center justify-center rounded-[10px] border border-transparent px-3 text-sm font-semibold text-muted no-underline " +
  "hover:text-text aria-[current]:bg-picked aria-[current]:shadow-[0_1px_3px_#0003] aria-[current]:text-text forced-colors:aria-[current]:border-[Highlight]";
