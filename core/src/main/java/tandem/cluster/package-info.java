/// Who is in the cluster: members, epochs, leases of streams, and which server holds what.
package tandem.cluster;
