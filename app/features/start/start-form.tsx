import { Form } from "react-router";
import { useNavigation } from "react-router";
import type { ComponentProps } from "react";

import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** The form of a step. Enter in a field continues, whatever button comes first. */
export function StartForm({ notice, children, ...form }: ComponentProps<typeof Form> & { notice: string | undefined }) {
  return (
    <Form method="post" noValidate autoComplete="on" className="grid gap-6.5" {...form}>
      <button type="submit" name="intent" value="continue" hidden />
      {notice && <Notice tone="error" title={notice} />}
      {children}
    </Form>
  );
}

/** The main button, and the others of a step. */
export function StepButtons({ skip, children }: { skip: React.ReactNode; children?: React.ReactNode }) {
  const { formData } = useNavigation();
  const isSaving = formData !== undefined;
  return (
    <div className="grid gap-2.5">
      <Button variant="main" type="submit" name="intent" value="continue" aria-disabled={isSaving || undefined}>
        {isSaving ? "Saving..." : "Continue"}
      </Button>
      {children}
      {skip}
    </div>
  );
}

export function SkipLink({ href }: { href: string }) {
  return (
    <ButtonLink variant="plain" href={href}>
      Skip for now
    </ButtonLink>
  );
}
