/** The tables that decide an owner's plan. */
export type BillingSchema = {
  subscription: SubscriptionTable;
  plan_grant: PlanGrantTable;
};

/** The plan that an owner has, derived from their grant and what they pay for. One row, so that every page reads it with a join. */
type SubscriptionTable = {
  owner_id: string;
  plan: string;
  /** Null: no end. */
  ends_at: number | null;
};

/** The plan that an operator gave an owner. */
type PlanGrantTable = {
  owner_id: string;
  plan: string;
  /** Null: no end. */
  ends_at: number | null;
  /** For operators only. */
  reason: string;
  /** The operator's account; "" for the command line. */
  granted_by: string;
  created_at: number;
};
