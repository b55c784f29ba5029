//! The faults of a seed. Each seed switches some kinds on, so that rare combinations occur, and draws how often each
//! happens.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rookery_core::seed::{SeededRng, mix};

/// What happens to a request on its way to Discord and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RequestFault {
    /// Nothing.
    None,
    /// It is not carried out, and gets this status.
    Refused(u16),
    /// It is not carried out, and gets a 429 with this many seconds to wait.
    TooMany(u64),
    /// There is no connection.
    Unreachable,
    /// It is carried out after a while.
    Slow(Duration),
    /// It is carried out, and the answer takes a while.
    SlowAnswer(Duration),
    /// It is carried out, and gets a 502.
    LostAnswer,
    /// It is carried out, and gets no answer at all.
    NoAnswer,
    /// The process crashes before it is sent.
    CrashBefore,
    /// The process crashes after it was carried out.
    CrashAfter,
}

/// What happens to a call of the journal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CallFault {
    /// Nothing.
    None,
    /// It takes a while.
    Slow(Duration),
    /// It fails and changes nothing.
    FailsBefore,
    /// It fails, although it was carried out.
    FailsAfter,
    /// The process crashes before it.
    CrashBefore,
    /// The process crashes after it.
    CrashAfter,
}

/// What happens to the gateway, a process, a clock or the network at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Incident {
    /// The process crashes, and starts again later.
    Crash,
    /// The process is asked to stop, and starts again later.
    Restart,
    /// No packet arrives for a while.
    Partition(Duration),
    /// Every gateway connection is cut.
    CutGateway,
    /// Every gateway connection is closed with this code.
    CloseGateway(u16),
    /// Clients are asked to connect again.
    AskToReconnect,
    /// Sessions become invalid; they can be resumed or not.
    InvalidSession(bool),
    /// Heartbeats get no acknowledgement for a while.
    SilentHeartbeats(Duration),
    /// Sessions are unknown when clients resume, for a while.
    ForgottenSessions(Duration),
    /// The gateway's address cannot be asked for, for a while.
    NoGatewayAddress(Duration),
    /// The next events are sent twice.
    RepeatedEvents(usize),
    /// The next two events are swapped.
    SwappedEvents,
    /// The clock of the process is wrong by this many seconds from now on.
    WrongClock(i64),
    /// The machine of the process sleeps: time passes without it.
    Sleep(Duration),
    /// The store gives the process no answer for a while, so that others may take over what it has.
    Stall(Duration),
}

/// How often each fault happens, of a thousand requests or calls.
#[derive(Clone, Debug, Default)]
struct Rates {
    refused: u64,
    too_many: u64,
    unreachable: u64,
    slow: u64,
    slow_answer: u64,
    lost_answer: u64,
    no_answer: u64,
    call_slow: u64,
    call_fails: u64,
    write_fails_late: u64,
    crash: u64,
}

/// The plan of a seed.
pub(crate) struct FaultPlan {
    rates: Rates,
    incidents: Vec<Incident>,
    /// The average pause between incidents.
    incident_pause: Duration,
    rng: Mutex<SeededRng>,
    is_on: AtomicBool,
}

impl FaultPlan {
    pub(crate) fn new(seed: u64, processes: usize) -> FaultPlan {
        let mut rng = SeededRng::new(mix(seed ^ 0xfa));
        let mut rate = |most: u64| match rng.below(2) {
            0 => 0,
            _ => 1 + rng.below(most),
        };
        let rates = Rates {
            refused: rate(60),
            too_many: rate(40),
            unreachable: rate(40),
            slow: rate(80),
            slow_answer: rate(80),
            lost_answer: rate(60),
            no_answer: rate(20),
            call_slow: rate(30),
            call_fails: rate(10),
            write_fails_late: rate(20),
            crash: rate(4),
        };
        let mut incidents = all_incidents(&mut rng);
        if processes > 1 {
            incidents.push(Incident::Stall(Duration::from_secs(2 + rng.below(30))));
        }
        let incident_pause = Duration::from_millis(4_000 + rng.below(16_000));
        FaultPlan { rates, incidents, incident_pause, rng: Mutex::new(rng), is_on: AtomicBool::new(false) }
    }

    /// Switches all faults of requests and calls on or off.
    pub(crate) fn set_on(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Draws what happens to the next request.
    pub(crate) fn of_request(&self) -> RequestFault {
        if !self.is_on() {
            return RequestFault::None;
        }
        let Rates {
            refused, too_many, unreachable, slow, slow_answer, lost_answer, no_answer, crash, ..
        } = self.rates;
        let mut rng = self.rng();
        let status = *rng.pick(&[500, 502, 503, 504]).unwrap_or(&500);
        let (long, seconds) = (Duration::from_millis(500 + rng.below(6_000)), 1 + rng.below(8));
        let faults = [
            (refused, RequestFault::Refused(status)),
            (too_many, RequestFault::TooMany(seconds)),
            (unreachable, RequestFault::Unreachable),
            (slow, RequestFault::Slow(long)),
            (slow_answer, RequestFault::SlowAnswer(long)),
            (lost_answer, RequestFault::LostAnswer),
            (no_answer, RequestFault::NoAnswer),
            (crash, RequestFault::CrashBefore),
            (crash, RequestFault::CrashAfter),
        ];
        draw(&mut rng, &faults).unwrap_or(RequestFault::None)
    }

    /// Draws what happens to the next call of the journal with this name.
    pub(crate) fn of_call(&self, name: &str) -> CallFault {
        if !self.is_on() {
            return CallFault::None;
        }
        let write = |rate: u64| if is_write(name) { rate } else { 0 };
        let mut rng = self.rng();
        let long = Duration::from_millis(20 + rng.below(3_000));
        let faults = [
            (self.rates.call_slow, CallFault::Slow(long)),
            (self.rates.call_fails, CallFault::FailsBefore),
            (write(self.rates.write_fails_late), CallFault::FailsAfter),
            (write(self.rates.crash * 4), CallFault::CrashBefore),
            (write(self.rates.crash * 4), CallFault::CrashAfter),
        ];
        draw(&mut rng, &faults).unwrap_or(CallFault::None)
    }

    /// Draws the next incident, with the pause before it; `None` if this seed has none.
    pub(crate) fn next_incident(&self) -> Option<(Duration, Incident)> {
        let mut rng = self.rng();
        let pause = self.incident_pause.mul_f64(0.2 + 1.6 * rng.unit());
        rng.pick(&self.incidents).map(|incident| (pause, *incident))
    }

    /// Draws for how long a process is down.
    pub(crate) fn downtime(&self) -> Duration {
        Duration::from_millis(self.rng().below(20_000))
    }

    fn rng(&self) -> std::sync::MutexGuard<'_, SeededRng> {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the incidents of a seed: each kind with one chance in two.
fn all_incidents(rng: &mut SeededRng) -> Vec<Incident> {
    let while_ms = |rng: &mut SeededRng, most: u64| Duration::from_millis(500 + rng.below(most));
    let all = [
        Incident::Crash,
        Incident::Crash,
        Incident::Restart,
        Incident::Partition(while_ms(rng, 30_000)),
        Incident::CutGateway,
        Incident::CloseGateway(4_000),
        Incident::AskToReconnect,
        Incident::InvalidSession(rng.below(2) == 0),
        Incident::SilentHeartbeats(while_ms(rng, 60_000)),
        Incident::ForgottenSessions(while_ms(rng, 20_000)),
        Incident::NoGatewayAddress(while_ms(rng, 20_000)),
        Incident::RepeatedEvents(1 + rng.below(5) as usize),
        Incident::RepeatedEvents(1),
        Incident::SwappedEvents,
        Incident::SwappedEvents,
        Incident::WrongClock(i64::try_from(rng.below(240)).unwrap_or(0) - 120),
        Incident::Sleep(Duration::from_secs(5 + rng.below(900))),
    ];
    all.into_iter().filter(|_| rng.below(2) == 0).collect()
}

/// Draws one of these with its rate of a thousand.
fn draw<T: Copy>(rng: &mut SeededRng, faults: &[(u64, T)]) -> Option<T> {
    let mut drawn = rng.below(1_000);
    for (rate, fault) in faults {
        match drawn.checked_sub(*rate) {
            None => return Some(*fault),
            Some(rest) => drawn = rest,
        }
    }
    None
}

/// Whether a call changes the journal.
pub(crate) fn is_write(name: &str) -> bool {
    const WRITES: [&str; 12] = [
        "append",
        "mark_",
        "requeue",
        "prune_",
        "store_",
        "delete_",
        "withdraw_",
        "replace_",
        "note_deletion",
        "take_",
        "claim_",
        "release_",
    ];
    const OTHERS: [&str; 6] = ["follow", "unfollow", "block", "unblock", "ban", "unban"];
    WRITES.iter().any(|begin| name.starts_with(begin)) || OTHERS.contains(&name)
}
