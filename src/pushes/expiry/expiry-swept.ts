/** The expiry schedule has completed a run in this process. */
export class ExpirySwept {
  static readonly eventName = 'expiry.swept';
  readonly name = ExpirySwept.eventName;

  constructor(
    readonly expired: number,
    readonly removed: number,
    readonly milliseconds: number,
  ) {}
}
