/** The expiry schedule has completed a run in this process. */
export class ExpiryRunCompleted {
  static readonly eventName = 'expiry.run-completed';
  readonly name = ExpiryRunCompleted.eventName;

  constructor(
    readonly expired: number,
    readonly removed: number,
    readonly milliseconds: number,
  ) {}
}
