package tandem.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.consistency.After;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.Party;
import tandem.wire.Values;

/// Mistakes that are easily made in such a system, most of them made before. Each is a rule of the protocol that is
/// left out, and the simulation must find what comes of that.
enum Mistake implements Flaw {

    /// An update is acknowledged once the first server has it.
    ACKNOWLEDGED_BEFORE_STORED {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {

                private boolean passedOn;

                @Override
                Message said(Address to, Message message) {
                    passedOn |= message instanceof Message.Seated(int _, Message.Forward _);
                    return message;
                }

                @Override
                void after(Address from, Message message, long nowNanos, Outbox out) {
                    if (passedOn && message instanceof Message.Seated(int seat, Message.Update update)) {
                        out.send(
                                from,
                                new Message.Seated(seat, new Message.Applied(update.stream(), update.sequence())));
                    }
                    passedOn = false;
                }
            };
        }
    },

    /// A server in the middle of a chain says that an update is stored when it has it itself.
    STORED_BY_HALF_THE_CHAIN {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                void after(Address from, Message message, long nowNanos, Outbox out) {
                    if (message instanceof Message.Seated(int seat, Message.Forward(long epoch, long update, var _))
                            && server.print(seat) != null
                            && server.print(seat).updates() == update) {
                        out.send(from, new Message.Seated(seat, new Message.Stored(epoch, update)));
                    }
                }
            };
        }
    },

    /// A newcomer is given the rows, and not which updates are in them.
    UPDATES_IN_A_COPY_UNKNOWN {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message said(Address to, Message message) {
                    return message
                                    instanceof
                                    Message.Seated(int seat, Message.Give(long epoch, long item, Message.Whole whole))
                            ? new Message.Seated(seat, new Message.Give(epoch, item, ofNothing(whole)))
                            : message;
                }
            };
        }

        private Message.Whole ofNothing(Message.Whole whole) {
            return new Message.Whole(
                    whole.number(),
                    whole.leases(),
                    new long[whole.upTo().length],
                    whole.clocks(),
                    new long[0],
                    whole.refused());
        }
    },

    /// A server that was put out of a chain and comes back keeps what it had, if it has not noticed.
    KEPT_WHEN_COMING_BACK {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Placed(Layout layout, String[] places, var leases, long life)
                            ? new Message.Placed(everSince(layout), places, leases, life)
                            : message;
                }

                private Layout everSince(Layout layout) {
                    Chain[] chains = layout.chains().clone();
                    for (int seat = 0; seat < chains.length; seat++) {
                        long[] since = chains[seat].since().clone();
                        if (chains[seat].has(number)) {
                            since[chains[seat].position(number)] = 1;
                        }
                        chains[seat] = new Chain(chains[seat].servers(), since, chains[seat].whole());
                    }
                    return layout.with(layout.epoch(), chains);
                }
            };
        }
    },

    /// A newcomer that had everything of a seat in an earlier life counts as having it in this one.
    OLD_NEWS_BELIEVED {
        @Override
        public Party of(Coordinator coordinator) {
            return new Twisted(coordinator) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.CaughtUp(long _, int seat)
                            ? new Message.CaughtUp(coordinator.layout().epoch(), seat)
                            : message;
                }
            };
        }
    },

    /// A member that gets an update once more does not say again what is stored.
    NOTICE_NOT_REPEATED {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {

                private final TreeMap<Integer, TreeSet<Long>> seen = new TreeMap<>();
                private boolean again;

                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    again = message instanceof Message.Seated(int seat, Message.Forward(long _, long update, var _))
                            && !seen.computeIfAbsent(seat, _ -> new TreeSet<>()).add(update);
                    return message;
                }

                @Override
                Message said(Address to, Message message) {
                    return again && message instanceof Message.Seated(int _, Message.Stored _) ? null : message;
                }
            };
        }
    },

    /// A layout is told to others before it is kept: what the coordinator decided last is lost if it ends.
    TOLD_BEFORE_KEPT {

        @Override
        public Flaw begun() {
            return new Flaw() {

                private Decided latest;

                @Override
                public Decided kept(Decided before, Decided decided) {
                    Decided late = latest == null ? decided : latest;
                    latest = decided;
                    return late;
                }
            };
        }
    },

    /// A coordinator that goes on knows the layout, and not who works on which stream.
    LEASES_NOT_KEPT {
        @Override
        public Decided found(Decided kept) {
            List<Decided.Tenure> first = kept.streams().stream()
                    .map(tenure -> new Decided.Tenure(tenure.holder(), 1, false))
                    .toList();
            return new Decided(
                    kept.term(),
                    kept.layout(),
                    first,
                    kept.members(),
                    kept.lost(),
                    kept.leaving(),
                    kept.gone(),
                    kept.numbers());
        }
    },

    /// A coordinator that goes on numbers its orders from 1.
    NUMBERS_FROM_THE_START {
        @Override
        public Decided found(Decided kept) {
            return new Decided(
                    -1,
                    kept.layout(),
                    kept.streams(),
                    kept.members(),
                    kept.lost(),
                    kept.leaving(),
                    kept.gone(),
                    kept.numbers());
        }
    },

    /// A coordinator that goes on takes all servers that it hears for those that it knew, in whatever life they are.
    LIVES_NOT_KEPT {
        @Override
        public Decided found(Decided kept) {
            List<Decided.Life> any = kept.members().stream()
                    .map(life -> new Decided.Life(life.node(), 0, life.place(), life.pid()))
                    .toList();
            return new Decided(
                    kept.term(),
                    kept.layout(),
                    kept.streams(),
                    any,
                    kept.lost(),
                    kept.leaving(),
                    kept.gone(),
                    kept.numbers());
        }
    },

    /// A server that begins anew under its number counts as the one before, with all that had.
    NEW_LIFE_NOT_NOTICED {
        @Override
        public Party of(Coordinator coordinator) {
            return new Twisted(coordinator) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Join(long _, String place, long pid)
                                    && from.role() == Address.Role.SERVER
                            ? new Message.Join(1, place, pid)
                            : message;
                }
            };
        }
    },

    /// A worker that begins anew goes on after the last update that was made, and not after the last that all have.
    UNFINISHED_NOT_REPEATED {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message said(Address to, Message message) {
                    return message instanceof Message.Seated(int seat, Message.Claimed claimed)
                            ? new Message.Seated(
                                    seat,
                                    new Message.Claimed(
                                            claimed.stream(), claimed.lease(), claimed.upTo() + 1, claimed.clock()))
                            : message;
                }
            };
        }
    },

    /// What all copies have is read from the first of them, which has more.
    READ_BEFORE_STORED {
        @Override
        public Party of(Coordinator coordinator) {
            return new Twisted(coordinator) {
                @Override
                Message said(Address to, Message message) {
                    return to.role() == Address.Role.WORKER
                                    && message
                                            instanceof
                                            Message.Placed(Layout layout, String[] places, var leases, long life)
                            ? new Message.Placed(ofHeads(layout), places, leases, life)
                            : message;
                }

                private Layout ofHeads(Layout layout) {
                    Chain[] heads = Arrays.stream(layout.chains())
                            .map(chain -> Chain.of(chain.head()))
                            .toArray(Chain[]::new);
                    return layout.with(layout.epoch(), heads);
                }
            };
        }

        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Seated(int seat, Message.Settled(Message.Pull pull))
                            ? new Message.Seated(seat, pull)
                            : message;
                }
            };
        }
    },

    /// A silent server is given up although nobody else who has its seats has been heard lately.
    GIVEN_UP_UNHEARD {
        @Override
        public Party of(Coordinator coordinator) {
            return new Twisted(coordinator) {
                @Override
                void beforeWaking(long nowNanos, Outbox out) {
                    servers(coordinator.layout())
                            .filter(server -> isSilent(coordinator, server, 1, nowNanos))
                            .findFirst()
                            .ifPresent(silent -> servers(coordinator.layout())
                                    .filter(server -> server != silent)
                                    .forEach(server -> coordinator.receive(
                                            Address.server(server), new Message.Renew(-1, 0), nowNanos, out)));
                }
            };
        }
    },

    /// The last server that has all of a seat is given up for one that has some of it.
    LAST_COPY_GIVEN_UP {
        @Override
        public Party of(Coordinator coordinator) {
            return new Twisted(coordinator) {
                @Override
                void beforeWaking(long nowNanos, Outbox out) {
                    Chain[] chains = coordinator.layout().chains();
                    for (int seat = 0; seat < chains.length; seat++) {
                        if (chains[seat].whole() == 1
                                && chains[seat].servers().length > 1
                                && isSilent(coordinator, chains[seat].head(), 0.5, nowNanos)) {
                            coordinator.receive(
                                    Address.server(chains[seat].servers()[1]),
                                    new Message.CaughtUp(coordinator.layout().epoch(), seat),
                                    nowNanos,
                                    out);
                        }
                    }
                }
            };
        }
    },

    /// A newcomer counts as having everything when it has been given the first of it.
    WHOLE_TOO_EARLY {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                void after(Address from, Message message, long nowNanos, Outbox out) {
                    if (message instanceof Message.Seated(int seat, Message.Give give)) {
                        out.send(Address.COORDINATOR, new Message.CaughtUp(give.epoch(), seat));
                    }
                }
            };
        }
    },

    /// Reads may be answered for a while from when the coordinator's word *came*.
    LEASE_FROM_RECEIPT {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Renewed ? new Message.Renewed(nowNanos) : message;
                }
            };
        }
    },

    /// Reads may be answered for good.
    NO_LEASE {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Renewed ? new Message.Renewed(Long.MAX_VALUE / 2) : message;
                }
            };
        }
    },

    /// What is said in another epoch is heard as if said in this one.
    EPOCH_NOT_CHECKED {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Seated(int seat, Message about)
                            ? new Message.Seated(seat, in(server.epoch(), about))
                            : message;
                }
            };
        }

        private Message in(long epoch, Message about) {
            return switch (about) {
                case Message.Update update ->
                    new Message.Update(
                            epoch, update.stream(), update.lease(), update.sequence(), update.clock(), update.parts());
                case Message.Pull pull ->
                    new Message.Pull(epoch, pull.request(), pull.stream(), pull.after(), pull.make(), pull.parts());
                case Message.Forward forward -> new Message.Forward(epoch, forward.number(), forward.update());
                case Message.Stored stored -> new Message.Stored(epoch, stored.number());
                case Message.Give give -> new Message.Give(epoch, give.item(), give.what());
                case Message.Taken taken -> new Message.Taken(epoch, taken.item());
                default -> about;
            };
        }
    },

    /// An update that comes while a newcomer is being given a seat is in none of the copies, and not sent after them.
    LOST_WHILE_COPYING {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message said(Address to, Message message) {
                    return message
                                    instanceof
                                    Message.Seated(int seat, Message.Give(long epoch, long item, Message.Update update))
                            ? new Message.Seated(seat, new Message.Give(epoch, item, with(update, new Part[0])))
                            : message;
                }
            };
        }
    },

    /// Half of a push is seen before the other half.
    HALF_A_PUSH {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {

                private double withheld;

                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Seated(int seat, Message.Update update)
                                    && update.parts().length > 0
                            ? new Message.Seated(seat, halved(update))
                            : message;
                }

                private Message.Update halved(Message.Update update) {
                    Part[] parts = update.parts().clone();
                    Part last = parts[parts.length - 1];
                    if (last.count() > 1 && last.values() instanceof Values.Doubles(double[] all, int at, int count)) {
                        double[] less = Arrays.copyOfRange(all, at, at + count);
                        double put = withheld == 0 ? -less[1] : withheld;
                        less[1] += put;
                        withheld = withheld == 0 ? -put : 0;
                        parts[parts.length - 1] = last.with(Values.of(less));
                    }
                    return with(update, parts);
                }
            };
        }
    },

    /// A member that lacks a list of keys is not told it.
    LISTS_NOT_TOLD {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Seated(int _, Message.UnknownKeys _) ? null : message;
                }
            };
        }
    },

    /// A read is answered before everything is in that it must see.
    READ_TOO_EARLY {
        @Override
        public Party of(int number, Server server) {
            return new Twisted(server) {
                @Override
                Message heard(Address from, Message message, long nowNanos) {
                    return message instanceof Message.Seated(int seat, Message.Pull pull)
                            ? new Message.Seated(
                                    seat,
                                    new Message.Pull(
                                            pull.epoch(),
                                            pull.request(),
                                            pull.stream(),
                                            After.NOTHING,
                                            pull.make(),
                                            pull.parts()))
                            : message;
                }
            };
        }
    };

    private static Message.Update with(Message.Update update, Part[] parts) {
        return new Message.Update(
                update.epoch(), update.stream(), update.lease(), update.sequence(), update.clock(), parts);
    }

    private static IntStream servers(Layout layout) {
        return Arrays.stream(layout.chains())
                .flatMapToInt(chain -> IntStream.of(chain.servers()))
                .distinct()
                .sorted();
    }

    /// Whether a server has been silent for a share of the time after which it counts as lost.
    private static boolean isSilent(Coordinator coordinator, int server, double share, long nowNanos) {
        return nowNanos - coordinator.heardNanos(Address.server(server)) > share * FaultTimes.SHORT.lostNanos();
    }
}
